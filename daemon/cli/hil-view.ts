import { readFileSync } from 'node:fs';
import { DriveMcpError } from '../core/errors.js';
import { packageFile } from '../runtime/package-root.js';
import {
  booleanOption,
  type CommandSpec,
  type Invocation,
  type OptionValues,
  stringOption,
} from './command.js';
import { countOption } from './count-option.js';
import { parseHostPort } from './host-port.js';
import { scenarioOptions, servedScenario } from './served-scenario.js';

export const viewCommand: CommandSpec = {
  path: ['hil', 'view'],
  summary: 'the world in your browser: top view, camera, weather, signs',
  positionals: '[HOST:PORT]',
  arity: [0, 1],
  options: {
    ...scenarioOptions,
    port: { type: 'string', value: 'N', help: 'of the page, on 127.0.0.1; default 8080, 0 = any' },
    'no-camera': { type: 'boolean', help: 'spawns no camera on the ego' },
    'timeout-s': {
      type: 'string',
      value: 'N',
      help: 'longest wait for one answer of the server; default 10',
    },
  },
  details:
    'HOST:PORT is any CARLA server; with --scenario or --map the simulator is started in this process. It never ticks and\n' +
    'sets nothing; the one thing it spawns is a camera on the ego, once somebody looks, and destroys it at the end.\n' +
    "What changing signs show is known only of a scenario of its own: CARLA's protocol does not tell.\n" +
    'Keys: arrows move, + and − zoom, F follows, R turns heading up, N next vehicle, 0 whole map.',
  examples: [
    ['drivemcp hil view --scenario town-rain', 'serves it and shows it at http://127.0.0.1:8080'],
    ['drivemcp hil view 127.0.0.1:2000', 'looks at a CARLA that runs already'],
  ],
  run,
};

async function run({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const pagePort = countOption(values, 'port') ?? 8080;
  if (pagePort > 65_535) throw new DriveMcpError('USAGE', '--port takes 0 to 65535');
  const timeoutMs = readTimeoutMs(values);
  const isOwn = ['scenario', 'map', 'seed'].some((name) => values[name] !== undefined);
  if (isOwn && positionals.length > 0)
    throw new DriveMcpError('USAGE', 'either HOST:PORT of a server, or a --scenario or --map of its own');
  const own = isOwn ? await serveOwn(values) : null;
  const address = own?.address ?? parseHostPort(positionals[0] ?? '', 2000, 'hil view');
  const { WorldWatch } = await import('../../hil/view/world-watch.js');
  const { ViewServer } = await import('../../hil/view/serve-view.js');
  const { assemblePage } = await import('../../hil/view/view-page.js');
  const part = (name: string): string => readFileSync(packageFile('hil', 'view', 'page', name), 'utf8');
  const page = assemblePage({
    html: part('page.html'),
    css: part('page.css'),
    script: part('draw-world.js') + part('page.js'),
  });
  const wantsCamera = !booleanOption(values, 'no-camera');
  const watch = new WorldWatch({
    ...address,
    timeoutMs,
    wantsCamera,
    displays: own?.displays ?? (() => null),
  });
  const view = new ViewServer(watch, page);
  try {
    await watch.start();
    const port = await view.listen(pagePort);
    const url = `http://127.0.0.1:${port}/`;
    if (terminal.json) {
      terminal.object({ event: 'listening', url, host: address.host, rpc_port: address.port, own: isOwn });
      terminal.flush();
    } else terminal.message(`${url} shows ${own?.title ?? watch.state.server}; Ctrl-C ends it`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return 0;
  } finally {
    await view.close();
    for (const left of await watch.stop()) terminal.message(`could not be put back: ${left}`);
    await own?.stop();
    const { viewers, skippedStates, cutViewers, refusedRequests, pictures } = view.counters;
    if (terminal.json)
      terminal.object({
        event: 'ended',
        viewers,
        skipped_states: skippedStates,
        cut_viewers: cutViewers,
        refused_requests: refusedRequests,
        pictures,
        missed_pictures: watch.missedPictures,
      });
  }
}

async function serveOwn(values: OptionValues) {
  const { world: scenario, mapText, title } = await servedScenario(values);
  const { SimServer } = await import('../../hil/sim/server/sim-server.js');
  const { sensorProducers } = await import('../../hil/sim/server/producers.js');
  const { carlaProfiles } = await import('../../hil/carla/profile/profile.js');
  const server = new SimServer({
    host: '127.0.0.1',
    port: 0,
    profile: carlaProfiles['0.9.15'],
    scenario,
    scenarioMapText: mapText,
    producers: sensorProducers(`${scenario.id}/${scenario.seed}`),
    version: '0.9.15',
    isSynchronous: false,
    speed: 1,
  });
  const { rpc } = await server.start();
  return {
    title,
    address: { host: '127.0.0.1', port: rpc },
    stop: () => server.stop(),
    displays: () =>
      Object.fromEntries(
        [...server.episode.world.displays()].map(([id, { value, plate }]) => [
          id,
          { value, wet: plate === 'wet' },
        ]),
      ),
  };
}

function readTimeoutMs(values: OptionValues): number {
  const text = stringOption(values, 'timeout-s');
  const seconds = Number(text ?? 10);
  if (text === '' || !(seconds > 0 && seconds <= 600))
    throw new DriveMcpError('USAGE', `--timeout-s takes seconds up to 600, got '${text}'`);
  return seconds * 1000;
}
