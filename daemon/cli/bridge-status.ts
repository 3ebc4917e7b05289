/** How a bridge shows what it does: a line that replaces itself, or an object a second. */
import type { Terminal } from './terminal.js';

export interface ShownBridge {
  readonly server: string;
  readonly egoId: number;
  readonly isOurs: boolean;
  readonly steps: number;
  readonly tS: number;
  readonly speedMps: number;
  readonly lateSteps: number;
  readonly reconnects: number;
  readonly outputs: readonly {
    readonly name: string;
    readonly counters: Readonly<Record<string, number | string | boolean | null>>;
  }[];
}

export function showStatus(report: ShownBridge, terminal: Terminal): void {
  if (terminal.json) {
    terminal.object({ event: 'status', ...reportObject(report) });
    terminal.flush();
  } else terminal.progress(statusText(report));
}

/** Counters that are trouble: shown where they are not 0. */
const troubles = ['dropped', 'refused', 'jumps', 'foreign'];

/** One line: what most people look at first, and whatever is not as it should be. */
export function statusText(report: ShownBridge): string {
  const { server, egoId, isOurs, tS, speedMps, lateSteps, reconnects, outputs } = report;
  const told = outputs.flatMap(({ counters }) =>
    Object.entries(counters).flatMap(([key, value]) => {
      // What was made is told by where it went.
      if (key === 'frames' && Object.keys(counters).some((other) => other.includes('.'))) return [];
      const name = key.split('.').at(-1) ?? key;
      if (typeof value !== 'number')
        return name === 'state' && value !== 'up' && value !== null ? [`${key} ${value}`] : [];
      return name === 'frames' || name === 'sent' || (troubles.includes(name) && value > 0)
        ? [`${key} ${value}`]
        : [];
    }),
  );
  const trouble = [
    lateSteps > 0 ? `${lateSteps} late` : '',
    reconnects > 0 ? `${reconnects} × reconnected` : '',
  ];
  return [
    `${tS.toFixed(1)} s`,
    `${(speedMps * 3.6).toFixed(0)} km/h`,
    ...told,
    ...trouble.filter((text) => text !== ''),
    `ego ${egoId}${isOurs ? '' : ' (driven by others)'}`,
    `CARLA ${server}`,
  ].join(', ');
}

export function reportObject(report: ShownBridge) {
  return {
    server: report.server,
    ego: report.egoId,
    is_ours: report.isOurs,
    steps: report.steps,
    t_s: report.tS,
    speed_mps: Math.round(report.speedMps * 1000) / 1000,
    late_steps: report.lateSteps,
    reconnects: report.reconnects,
    outputs: Object.fromEntries(report.outputs.map(({ name, counters }) => [name, counters])),
  };
}
