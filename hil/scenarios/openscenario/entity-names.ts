import type { WorldScenario } from '../../sim/world/world-scenario.js';

export const egoName = 'hero';

/** Every entity has a name of its own: a role that several have is numbered. */
export function entityNames(world: WorldScenario) {
  const taken = new Set([egoName]);
  const byRole = new Map<string, string>();
  const nameFor = (role: string): string => {
    let name = role;
    for (let n = 2; taken.has(name); n++) name = `${role}-${n}`;
    taken.add(name);
    if (!byRole.has(role)) byRole.set(role, name);
    return name;
  };
  return {
    byRole,
    vehicles: world.vehicles.map(({ roleName }) => nameFor(roleName)),
    walkers: world.walkers.map(({ roleName }) => nameFor(roleName ?? 'pedestrian')),
  };
}
