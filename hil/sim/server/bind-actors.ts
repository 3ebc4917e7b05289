/** RPC methods about actors: definitions, spawning, control, physics, lights, batches. */
import type { CarlaMethods } from '../../carla/rpc/methods.js';
import { RefusedCall } from '../../carla/rpc/rpc-server.js';
import type { Actor, ActorDescription } from '../../carla/wire/actor.js';
import type { Command } from '../../carla/wire/command.js';
import { noRotation, type Transform, zero } from '../../carla/wire/geometry.js';
import type { Outcome } from '../../carla/wire/response.js';
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';
import { toPose } from './carla-axes.js';
import { conditionOf } from './condition-of.js';
import {
  cutControl,
  plausibleDescription,
  plausiblePlace,
  plausibleSpeed,
  plausibleTransform,
  plausibleVelocity,
} from './plausible.js';
import { answering } from './refusals.js';
import type { ServedWorld } from './served-world.js';
import { definitions } from './wire-actors.js';
import { frictionFactorOf, physicsOf } from './wire-physics.js';

export function bindActors(server: ServedWorld, methods: CarlaMethods): void {
  const { rpc, options } = server;
  const { profile } = options;
  const world = () => server.episode.world;
  const spawn = answering((description: ActorDescription, transform: Transform, parentId: number | null) => {
    plausibleDescription(description);
    plausibleTransform(transform);
    return server.episode.spawn(description, transform, parentId);
  });
  const control = answering((id: number, value: VehicleControl): void =>
    world().control(id, cutControl(value)),
  );
  const move = answering((id: number, transform: Transform): void => {
    plausibleTransform(transform);
    const sensor = server.episode.sensors.get(id);
    if (sensor === undefined) world().teleport(id, toPose(transform));
    else sensor.relative = transform;
  });
  const autopilot = answering((id: number, isOn: boolean): void => world().autopilot(id, isOn));
  const destroy = (id: number): boolean => {
    if (!server.episode.destroy(id)) throw new RefusedCall('unable to destroy actor: not found');
    return true;
  };

  rpc.bind(methods.getActorDefinitions, () =>
    definitions(profile).filter(
      ({ id }) => !id.startsWith('sensor.') || server.episode.options.producers.has(id),
    ),
  );
  rpc.bind(methods.getActorsById, ([ids]) => server.episode.actors(ids.slice(0, 10_000)));
  rpc.bind(methods.getSpectator, () => spectator);
  rpc.bind(methods.spawnActor, ([description, transform]) => spawn(description, transform, null));
  if (profile.hasSocketName)
    rpc.bind(methods.spawnActorAtSocket, ([description, transform, parentId]) =>
      spawn(description, transform, parentId),
    );
  else
    rpc.bind(methods.spawnActorWithParent, ([description, transform, parentId]) =>
      spawn(description, transform, parentId),
    );
  if (profile.destroySaysWhether) rpc.bind(methods.destroyActor, ([id]) => destroy(id));
  else rpc.bind(methods.destroyActorSilently, ([id]) => void destroy(id));

  rpc.bind(methods.applyControl, ([id, value]) => control(id, value));
  if (profile.hasAckermann)
    rpc.bind(methods.applyAckermann, ([id, { steerRad, speedMps, accelerationMps2 }]) => {
      if (![steerRad, accelerationMps2].every(Number.isFinite))
        throw new RefusedCall('control is not finite');
      plausibleSpeed('speed', speedMps);
      answering(() => world().steerFor(id, { steerRad, speedMps, accelerationMps2 }))();
    });
  rpc.bind(methods.applyWalkerControl, ([id, { direction, speedMps }]) => {
    plausibleSpeed('speed', speedMps);
    plausiblePlace(direction);
    answering(() => world().orderWalker(id, direction.x, -direction.y, speedMps))();
  });
  rpc.bind(methods.setAutopilot, ([id, isOn]) => autopilot(id, isOn));
  rpc.bind(methods.setActorTransform, ([id, transform]) => move(id, transform));
  rpc.bind(methods.setActorLocation, ([id, location]) =>
    move(id, { location, rotation: server.episode.rotationOf(id) }),
  );
  rpc.bind(methods.setActorVelocity, ([id, velocity]) => {
    plausibleVelocity(velocity);
    answering(() => world().setVelocity(id, velocity.x, -velocity.y))();
  });
  rpc.bind(methods.setSimulatePhysics, ([id, isOn]) => answering(() => world().hold(id, !isOn))());
  // The ground is everywhere and flat: gravity has nothing to do.
  rpc.bind(methods.setEnableGravity, () => undefined);
  rpc.bind(methods.getPhysics, ([id]) =>
    answering(() => physicsOf(world().bicycle(id).model, world().frictionFactor(id)))(),
  );
  rpc.bind(methods.applyPhysics, ([id, physics]) => {
    const factor = frictionFactorOf(physics);
    if (factor !== null) answering(() => world().setFrictionFactor(id, factor))();
  });
  rpc.bind(methods.getVehicleCondition, ([id]) => answering(() => conditionOf(world(), id))());
  rpc.bind(methods.setTrafficLightState, ([id, state]) =>
    answering(() => world().setLight(id, state, null))(),
  );
  rpc.bind(methods.freezeTrafficLight, ([id, isFrozen]) =>
    answering(() => world().setLight(id, null, isFrozen))(),
  );
  rpc.bind(methods.freezeAllTrafficLights, ([isFrozen]) => {
    for (const actor of world().actors.values())
      if (actor.kind === 'traffic-light') actor.isFrozen = isFrozen;
  });
  if (profile.hasLightStates) {
    rpc.bind(methods.getVehicleLightStates, () =>
      [...world().actors.values()].flatMap((actor) =>
        actor.kind === 'vehicle' ? [{ id: actor.id, lights: actor.lightFlags }] : [],
      ),
    );
    rpc.bind(methods.setVehicleLightState, ([id, lights]) => {
      const actor = world().actors.get(id);
      if (actor?.kind !== 'vehicle') throw new RefusedCall(`vehicle ${id} not found`);
      actor.lightFlags = lights;
    });
  }
  if (profile.hasSocketName)
    rpc.bind(methods.getBoundingBox, ([id]) => {
      const [actor] = server.episode.actors([id]);
      if (actor === undefined) throw new RefusedCall(`actor ${id} not found`);
      return actor.boundingBox;
    });
  rpc.bind(methods.applyBatch, async ([commands, doTick]) => {
    const results = commands.map((command) => outcome(() => carryOut(command)));
    if (doTick && server.settings.synchronousMode) await server.tick();
    return results;
  });

  function carryOut(command: Command): number {
    const { kind, fields } = command;
    if (kind === 'spawn') {
      const { id } = spawn(fields.description, fields.transform, fields.parentId);
      for (const then of fields.doAfter) carryOut(addressed(then, id));
      return id;
    }
    if (kind === 'destroy') destroy(fields.id);
    else if (kind === 'control') control(fields.id, fields.control);
    else if (kind === 'transform') move(fields.id, fields.transform);
    else autopilot(fields.id, fields.isEnabled);
    return fields.id;
  }
}

/** A command behind a spawn names the future actor with 0. */
function addressed(command: Command, id: number): Command {
  if (command.kind === 'spawn' || command.fields.id !== 0) return command;
  return { ...command, fields: { ...command.fields, id } } as Command;
}

function outcome(run: () => number): Outcome<number> {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    if (error instanceof RefusedCall) return { ok: false, error: error.message };
    throw error;
  }
}

/** CARLA always has one; ours has no eyes of its own. */
const spectator: Actor = {
  id: 99_999,
  parentId: 0,
  description: { uid: 0, id: 'spectator', attributes: [] },
  boundingBox: { location: zero, extent: zero, rotation: noRotation },
  semanticTags: new Uint8Array(0),
  streamToken: new Uint8Array(0),
};
