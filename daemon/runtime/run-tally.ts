import type { TickInputs, TickOutputs } from '../core/tick.js';
import { InputsSeen } from './inputs-seen.js';

/** What a tick came to, for counting and for display: ACT in force, an utterance issued, the rest. */
export type Outcome = 'act' | 'speak' | 'none';

export function outcomeOf(outputs: TickOutputs): Outcome {
  if (outputs.decision.kind === 'act') return 'act';
  return outputs.utterance === null ? 'none' : 'speak';
}

/** Counts over a run, in constant memory. */
export class RunTally {
  ticks = 0;
  missedTicks = 0;
  lastTUs = 0;
  readonly decisions: Record<Outcome, number> = { act: 0, speak: 0, none: 0 };
  readonly modes: Record<string, number> = {};
  readonly events: Record<string, number> = {};
  readonly counts: Record<string, number> = {};
  signalSamples = 0;
  facts = 0;
  readonly inputsSeen: InputsSeen;

  /** @param startJurisdiction where the configuration says the drive starts */
  constructor(startJurisdiction: string | null = null) {
    this.inputsSeen = new InputsSeen(startJurisdiction);
  }

  add(inputs: TickInputs, outputs: TickOutputs): void {
    this.ticks++;
    this.inputsSeen.add(inputs);
    this.missedTicks += inputs.missedTicks;
    this.lastTUs = outputs.tUs;
    this.signalSamples += inputs.signals.length;
    this.facts += inputs.facts.length;
    this.decisions[outcomeOf(outputs)]++;
    this.modes[outputs.mode] = (this.modes[outputs.mode] ?? 0) + 1;
    for (const event of outputs.events) this.events[event.type] = (this.events[event.type] ?? 0) + 1;
    for (const name in outputs.counts) {
      this.counts[name] = (this.counts[name] ?? 0) + (outputs.counts[name] ?? 0);
    }
  }
}
