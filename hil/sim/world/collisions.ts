import { overlaps, type WorldActor } from './actor.js';

export interface Collision {
  readonly one: WorldActor;
  readonly other: WorldActor;
  readonly closingMps: number;
}

/** Notices each contact once, when it begins. */
export class CollisionWatch {
  readonly #touching = new Set<string>();

  touch(one: WorldActor, other: WorldActor): boolean {
    return overlaps(one, other) && Math.abs(one.pose.z - other.pose.z) < one.size.heightM;
  }

  look(actors: readonly WorldActor[]): readonly Collision[] {
    const bodies = actors.filter(({ kind }) => kind === 'vehicle' || kind === 'walker');
    const now = new Set<string>();
    const begun: Collision[] = [];
    for (const [i, one] of bodies.entries()) {
      for (const other of bodies.slice(i + 1)) {
        if (!this.touch(one, other)) continue;
        const key = `${one.id}/${other.id}`;
        now.add(key);
        if (!this.#touching.has(key)) begun.push({ one, other, closingMps: relativeMps(one, other) });
      }
    }
    this.#touching.clear();
    for (const key of now) this.#touching.add(key);
    return begun;
  }
}

function relativeMps(one: WorldActor, other: WorldActor): number {
  const vx = one.vMps * Math.cos(one.pose.headingRad) - other.vMps * Math.cos(other.pose.headingRad);
  const vy = one.vMps * Math.sin(one.pose.headingRad) - other.vMps * Math.sin(other.pose.headingRad);
  return Math.hypot(vx, vy);
}

/** Mass by size: what an impulse is reported with. Water weighs more than a car of the same box, about eight times. */
export function massKg({ size, kind }: WorldActor): number {
  return kind === 'walker' ? 75 : size.lengthM * size.widthM * size.heightM * 120;
}

/** Speed of both bodies behind a contact: the slower one's where they went the same way, none where they did not. */
export function speedAfterMps(one: WorldActor, other: WorldActor): number {
  const isSameWay = Math.cos(one.pose.headingRad - other.pose.headingRad) * one.vMps * other.vMps > 0;
  return isSameWay ? Math.sign(one.vMps) * Math.min(Math.abs(one.vMps), Math.abs(other.vMps)) : 0;
}
