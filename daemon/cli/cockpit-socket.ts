/** `--cockpit-socket`: the ego's cockpit for a head unit, offered by the command that steps the ego. Off without the option. */
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import { systemClock } from '../runtime/clock.js';
import type { faultsOf } from './bridge-faults.js';
import { type OptionSpec, type OptionValues, stringOption } from './command.js';
import { countOption } from './count-option.js';

export const cockpitOptions = {
  'cockpit-socket': {
    type: 'string',
    value: 'PATH',
    help: "offer the ego's speed, gear, weather and faults to a head unit there and take its climate, lights and wipers; off without",
  },
  'cockpit-people': { type: 'string', value: 'N', help: 'who breathe in the ego, 1 to 5; default 1' },
  'cockpit-humidity': {
    type: 'string',
    value: 'PERCENT',
    help: 'relative humidity outside, which CARLA does not know; default: as usual in such weather',
  },
} as const satisfies Record<string, OptionSpec>;

/**
 * The same beside the ego of a CARLA server. `scripted` faults are those that are put into its frames.
 * @throws as `openCockpit`
 */
export async function cockpitBeside(
  values: OptionValues,
  scripted: Scripted,
  notice: (text: string) => void,
) {
  const opened = await openCockpit(values, {});
  return opened === null ? null : besideCarla(opened, scripted, notice);
}

/** Null where no cockpit is asked for. @throws DriveMcpError USAGE, ADDRESS_UNAVAILABLE */
export async function openCockpit(values: OptionValues, greeting: JsonObject) {
  const path = stringOption(values, 'cockpit-socket');
  const people = countOption(values, 'cockpit-people');
  const humidityPercent = countOption(values, 'cockpit-humidity');
  if (path === undefined) {
    if (people !== undefined || humidityPercent !== undefined)
      throw new DriveMcpError('USAGE', '--cockpit-people and --cockpit-humidity go with --cockpit-socket');
    return null;
  }
  if (path === '') throw new DriveMcpError('USAGE', '--cockpit-socket takes the path of a socket to make');
  if (people !== undefined && (people < 1 || people > 5))
    throw new DriveMcpError('USAGE', '--cockpit-people takes 1 to 5');
  if (humidityPercent !== undefined && (humidityPercent < 1 || humidityPercent > 100))
    throw new DriveMcpError('USAGE', '--cockpit-humidity takes 1 to 100');
  const { EgoCockpit } = await import('../../hil/cockpit/port/ego-cockpit.js');
  const { CockpitServer } = await import('../../hil/cockpit/port/cockpit-server.js');
  const cockpit = new EgoCockpit({ people: people ?? 1, humidityPercent: humidityPercent ?? null });
  const server = await CockpitServer.open(path, {
    port: cockpit.port,
    greeting: { server: 'drivemcp cockpit port', simulated: true, ...greeting },
    monoMs: () => systemClock.monoUs() / 1000,
  });
  return { cockpit, server };
}

type Scripted = Awaited<ReturnType<typeof faultsOf>>['scripted'];

async function besideCarla(
  { cockpit, server }: NonNullable<Awaited<ReturnType<typeof openCockpit>>>,
  scripted: Scripted,
  notice: (text: string) => void,
) {
  const { CarlaEgoCockpit } = await import('../../hil/cockpit/carla-ego.js');
  notice(`the cockpit of the ego is at ${server.path}`);
  return { companion: new CarlaEgoCockpit(cockpit, scripted, notice), close: () => server.close() };
}
