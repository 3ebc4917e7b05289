/** Programs of the system that can say something. */
export const voiceEngines = ['espeak-ng', 'speech-dispatcher'] as const;
export type VoiceEngine = (typeof voiceEngines)[number];
