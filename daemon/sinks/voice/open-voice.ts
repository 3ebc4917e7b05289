import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';
import type { Config } from '../../runtime/config-schema.js';
import type { Logger } from '../../runtime/log.js';
import { VoiceSink } from './voice-sink.js';

/** What a program for speech needs to find its sound server and its data; nothing else of the environment reaches it. */
const passedOn = [
  'PATH',
  'HOME',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'PULSE_SERVER',
  'PIPEWIRE_REMOTE',
  'ALSA_CARD',
  'SPEECHD_ADDRESS',
  'ESPEAK_DATA_PATH',
] as const;

/**
 * The voice that the configuration asks for; null where nothing is to be heard.
 * @throws DriveMcpError FILE_UNWRITABLE where the folder for sound files cannot be made
 */
export function openVoice(
  { speech }: Config,
  parts: {
    readonly environment: NodeJS.ProcessEnv;
    readonly monoMs: () => number;
    readonly log: Logger;
    readonly notice: (text: string) => void;
  },
): VoiceSink | null {
  if (speech.sink === 'log') return null;
  const wavFolder = speech.wav_dir === '' ? null : resolve(speech.wav_dir);
  if (wavFolder !== null) {
    try {
      mkdirSync(wavFolder, { recursive: true });
    } catch (cause) {
      throw new DriveMcpError('FILE_UNWRITABLE', `no folder for sound files: ${causeText(cause)}`, {
        location: { file: wavFolder },
        cause,
      });
    }
  }
  const environment: NodeJS.ProcessEnv = { LANG: 'C.UTF-8' };
  for (const name of passedOn) {
    const value = parts.environment[name];
    if (value !== undefined) environment[name] = value;
  }
  return new VoiceSink({
    settings: {
      engine: speech.sink,
      rateWpm: speech.rate_wpm,
      volumeRatio: speech.volume_ratio,
      voices: { en: speech.voice_en, de: speech.voice_de, fr: speech.voice_fr },
      wavFolder,
    },
    queueMaxCount: speech.queue_max_count,
    startMaxMs: speech.start_budget_ms,
    staleMaxMs: speech.stale_ms,
    saysReasons: speech.reasons,
    monoMs: parts.monoMs,
    log: parts.log,
    notice: parts.notice,
    environment,
  });
}
