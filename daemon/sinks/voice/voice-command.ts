/**
 * How a text becomes speech: program, arguments and what goes to its standard input. No shell takes part, and the text is
 * never where an option could stand.
 */

import type { VoiceEngine } from '../../runtime/voice-engines.js';

export interface VoiceSettings {
  readonly engine: VoiceEngine;
  /** words a minute; 175 is espeak-ng's own */
  readonly rateWpm: number;
  /** 1 = the engine's own loudness */
  readonly volumeRatio: number;
  /** name of the engine's voice by language; none or empty = its voice of that language */
  readonly voices: Readonly<Record<string, string>>;
  /** folder for one WAV file an utterance instead of sound; null = sound */
  readonly wavFolder: string | null;
}

export interface SpokenText {
  readonly text: string;
  readonly lang: string;
  readonly urgent: boolean;
}

export interface VoiceCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdin: string;
}

/** @param wavFile where the sound goes; null = to the loudspeaker */
export function voiceCommand(
  settings: VoiceSettings,
  { text, lang, urgent }: SpokenText,
  wavFile: string | null,
): VoiceCommand {
  const voice = settings.voices[lang] ?? '';
  if (settings.engine === 'espeak-ng') {
    const args = ['-b', '1', '-v', voice === '' ? lang : voice];
    args.push('-s', String(Math.round(settings.rateWpm)));
    args.push('-a', String(Math.round(Math.min(2, settings.volumeRatio) * 100)));
    if (wavFile !== null) args.push('-w', wavFile);
    return { program: 'espeak-ng', args: [...args, '--stdin'], stdin: text };
  }
  // Rates and volumes of SSIP run from -100 to 100 around the user's own. Its pipe mode reads lines that begin with !-! as
  // commands, so the text is an argument, after the end of the options.
  const args = ['-w', '-N', 'drivemcp', '-l', lang, '-P', urgent ? 'important' : 'message'];
  if (voice !== '') args.push('-y', voice);
  args.push('-r', String(ssip(settings.rateWpm / 175 - 1)), '-i', String(ssip(settings.volumeRatio - 1)));
  return { program: 'spd-say', args: [...args, '--', text], stdin: '' };
}

function ssip(deviation: number): number {
  return Math.round(Math.max(-1, Math.min(1, deviation)) * 100);
}
