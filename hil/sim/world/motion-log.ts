import type { WorldActor } from './actor.js';
import type { EntityName, Mover, TriggerView } from './trigger.js';

/** Slower than this is standing. */
const standingMps = 0.1;

interface Motion {
  travelledM: number;
  standingS: number;
}

/** How far each actor has come and for how long it has stood: what triggers ask and no state of an actor tells. */
export class MotionLog {
  readonly #byId = new Map<number, Motion>();

  /** To be shown every step, behind it. */
  look(actors: Iterable<WorldActor>, dtS: number): void {
    for (const actor of actors) {
      if (actor.kind !== 'vehicle' && actor.kind !== 'walker') continue;
      const motion = this.#byId.get(actor.id) ?? { travelledM: 0, standingS: 0 };
      const vMps = Math.abs(actor.vMps);
      motion.travelledM += vMps * dtS;
      motion.standingS = vMps < standingMps ? motion.standingS + dtS : 0;
      this.#byId.set(actor.id, motion);
    }
  }

  forget(id: number): void {
    this.#byId.delete(id);
  }

  travelledM(id: number): number {
    return this.#byId.get(id)?.travelledM ?? 0;
  }

  view(actors: ReadonlyMap<number, WorldActor>, egoId: number | null, tS: number): TriggerView {
    const named = (name: EntityName, self: Mover): Mover | null => {
      if (name === 'self') return self;
      if (name === 'ego') {
        const ego = egoId === null ? undefined : actors.get(egoId);
        return ego?.kind === 'vehicle' ? ego : null;
      }
      for (const actor of actors.values())
        if ((actor.kind === 'vehicle' || actor.kind === 'walker') && actor.roleName === name) return actor;
      return null;
    };
    return {
      tS,
      entity: named,
      travelledM: ({ id }) => this.travelledM(id),
      standingS: ({ id }) => this.#byId.get(id)?.standingS ?? 0,
    };
  }
}
