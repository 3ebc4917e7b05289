/** Feedback that people gave on this tick: by a command, with the button of the car, with an input device. */
import { plainText } from '../plain-text.js';
import type { OperatorCommand, SignalSample } from '../tick.js';
import { feedbackButtonPath } from '../world/signal-paths.js';
import type { FeedbackKind } from './adaptation.js';
import { advanceButton, type ButtonGesture, type ButtonState, edgesOf, initialButton } from './button.js';

export interface ButtonStates {
  /** of the vehicle, as a signal */
  readonly signal: ButtonState;
  /** of an input device */
  readonly device: ButtonState;
}

export const initialButtons: ButtonStates = {
  signal: initialButton,
  // A device tells of changes only: until it does, its button is up.
  device: { ...initialButton, isDown: false },
};

export interface GivenFeedback {
  readonly kind: FeedbackKind;
  readonly origin: 'command' | 'signal' | 'device';
  readonly id?: string;
  /** free text of who gave it; on record, never acted on */
  readonly note?: string;
  /** said so long ago that it means no warning of this run */
  readonly isStale: boolean;
}

export const noteMaxChars = 200;
const idMaxChars = 40;

/** Once: it came too late. Twice: there was no need. */
const kindOf: Readonly<Record<ButtonGesture, FeedbackKind>> = {
  single: 'late_warning',
  double: 'false_positive',
};

/** Whoever says more than a minute later that a warning came late may mean another one. */
const staleAfterUs = 60_000_000;

export function takeGiven(
  before: ButtonStates,
  samples: readonly SignalSample[],
  commands: readonly OperatorCommand[],
  tUs: number,
): { readonly buttons: ButtonStates; readonly given: readonly GivenFeedback[] } {
  const given: GivenFeedback[] = [];
  for (const command of commands) {
    const { kind, ageUs = 0 } = command;
    if (kind !== 'late_warning' && kind !== 'false_positive') continue;
    const id = plainText(command.id, idMaxChars);
    const note = plainText(command.note, noteMaxChars);
    given.push({
      kind,
      origin: 'command',
      ...(id === undefined ? {} : { id }),
      ...(note === undefined ? {} : { note }),
      isStale: !(ageUs <= staleAfterUs),
    });
  }
  const presses = samples.filter(({ path }) => path === feedbackButtonPath);
  const signal = advanceButton(before.signal, edgesOf(before.signal, presses), tUs);
  const edges = commands.flatMap(({ kind, isPressed, atUs }) =>
    kind === 'button' && typeof isPressed === 'boolean'
      ? [{ isPressed, atUs: Number.isFinite(atUs) ? (atUs as number) : tUs }]
      : [],
  );
  const device = advanceButton(before.device, edges, tUs);
  for (const [origin, { gesture }] of [['signal', signal] as const, ['device', device] as const]) {
    if (gesture !== null) given.push({ kind: kindOf[gesture], origin, isStale: false });
  }
  const isSame = signal.state === before.signal && device.state === before.device;
  return { buttons: isSame ? before : { signal: signal.state, device: device.state }, given };
}
