/**
 * Commands of `apply_batch`: `[[index, fields]]` (LibCarla rpc/Command.h). The index is the position in a variant that
 * grew between versions; only the first three never moved, so a client that does not know its peer keeps to those.
 */
import { actorDescription } from './actor.js';
import { array, bool, type Codec, list, optional, str, struct, u8, u32, type ValueOf } from './codec.js';
import { transform } from './geometry.js';
import { vehicleControl } from './vehicle-control.js';
import { wireError } from './wire-error.js';

const destroyFields = struct('DestroyActor', { id: u32 });
const controlFields = struct('ApplyVehicleControl', { id: u32, control: vehicleControl });
const transformFields = struct('ApplyTransform', { id: u32, transform });
const autopilotFields = struct('SetAutopilot', { id: u32, isEnabled: bool });

export interface SpawnFields {
  readonly description: ValueOf<typeof actorDescription>;
  readonly transform: ValueOf<typeof transform>;
  readonly parentId: number | null;
  readonly doAfter: readonly Command[];
}

export type Command =
  | { readonly kind: 'spawn'; readonly fields: SpawnFields }
  | { readonly kind: 'destroy'; readonly fields: ValueOf<typeof destroyFields> }
  | { readonly kind: 'control'; readonly fields: ValueOf<typeof controlFields> }
  | { readonly kind: 'transform'; readonly fields: ValueOf<typeof transformFields> }
  | { readonly kind: 'autopilot'; readonly fields: ValueOf<typeof autopilotFields> };

export interface CommandSet {
  readonly transformIndex: number;
  readonly autopilotIndex: number;
  /** from 0.9.16 on, a spawn says how it is attached and to which socket */
  readonly hasSocket: boolean;
}

/** By name of the first version that has it. */
export const commandSets = {
  '0.9.8': { transformIndex: 4, autopilotIndex: 10, hasSocket: false },
  '0.9.10': { transformIndex: 4, autopilotIndex: 13, hasSocket: false },
  '0.9.11': { transformIndex: 4, autopilotIndex: 14, hasSocket: false },
  '0.9.12': { transformIndex: 5, autopilotIndex: 15, hasSocket: false },
  '0.9.14': { transformIndex: 6, autopilotIndex: 16, hasSocket: false },
  '0.9.16': { transformIndex: 6, autopilotIndex: 16, hasSocket: true },
} as const satisfies Record<string, CommandSet>;

export type CommandSetName = keyof typeof commandSets;

export function commandCodec(set: CommandSet): Codec<Command> {
  const indices = {
    spawn: 0,
    destroy: 1,
    control: 2,
    transform: set.transformIndex,
    autopilot: set.autopilotIndex,
  };
  const codec: Codec<Command> = {
    name: 'Command',
    get absent(): Command {
      throw new RangeError('a command has no default');
    },
    write(writer, value) {
      writer.array(1);
      writer.array(2);
      writer.int(indices[value.kind]);
      if (value.kind === 'spawn') spawn.write(writer, value.fields);
      else if (value.kind === 'destroy') destroyFields.write(writer, value.fields);
      else if (value.kind === 'control') controlFields.write(writer, value.fields);
      else if (value.kind === 'transform') transformFields.write(writer, value.fields);
      else autopilotFields.write(writer, value.fields);
    },
    read(raw, path) {
      const [variant] = array(raw, path);
      const [index, fields] = array(variant, `${path}[0]`);
      if (index === indices.spawn) return { kind: 'spawn', fields: spawn.read(fields, path) };
      if (index === indices.destroy) return { kind: 'destroy', fields: destroyFields.read(fields, path) };
      if (index === indices.control) return { kind: 'control', fields: controlFields.read(fields, path) };
      if (index === indices.transform)
        return { kind: 'transform', fields: transformFields.read(fields, path) };
      if (index === indices.autopilot)
        return { kind: 'autopilot', fields: autopilotFields.read(fields, path) };
      throw wireError(path, `command ${String(index)} is not known here`);
    },
  };
  const spawn = spawnCodec(set, codec);
  return codec;
}

function spawnCodec({ hasSocket }: CommandSet, command: Codec<Command>): Codec<SpawnFields> {
  const doAfter = list(command);
  if (!hasSocket)
    return struct('SpawnActor', {
      description: actorDescription,
      transform,
      parentId: optional(u32),
      doAfter,
    });
  const withSocket = struct('SpawnActor', {
    description: actorDescription,
    transform,
    parentId: optional(u32),
    attachment: u8,
    socketName: str,
    doAfter,
  });
  return {
    name: withSocket.name,
    absent: withSocket.absent,
    write: (writer, value) => withSocket.write(writer, { ...value, attachment: 0, socketName: '' }),
    read: (value, path) => withSocket.read(value, path),
  };
}
