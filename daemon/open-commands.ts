import type { OperatorCommand } from './core/tick.js';
import { systemClock } from './runtime/clock.js';
import type { Config } from './runtime/config-schema.js';
import { Inbox } from './runtime/inbox.js';
import { EvdevButton } from './sources/input/evdev-button.js';

export interface Commands {
  /** what people did since the tick before */
  take(tUs: number): readonly OperatorCommand[];
  close(): Promise<void>;
}

/** A recorded drive hears nobody: it would decide otherwise the next time. */
const nobody: Commands = { take: () => [], close: async () => {} };

/** Ways in for people: the inbox of the state directory, and the button of an input device where one is configured. */
export function openCommands(
  { feedback }: Config,
  stateDir: string,
  isLive: boolean,
  notice: (text: string) => void,
): Commands {
  if (!isLive) return nobody;
  const inbox = new Inbox({ stateDir, wallMs: systemClock.wallMs, notice });
  const button =
    feedback.device === ''
      ? null
      : new EvdevButton({
          path: feedback.device,
          key: feedback.device_key === 'any' ? null : Number(feedback.device_key),
          wallMs: systemClock.wallMs,
          notice,
        });
  return {
    take: (tUs) => [...inbox.take(), ...(button?.take(tUs) ?? [])],
    async close() {
      button?.close();
      await inbox.close();
    },
  };
}
