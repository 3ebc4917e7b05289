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

export function statusText({
  server,
  egoId,
  isOurs,
  tS,
  speedMps,
  lateSteps,
  reconnects,
  outputs,
}: ShownBridge) {
  const told = outputs.map(({ name, counters }) => {
    const parts = Object.entries(counters).map(([key, value]) => `${key} ${value}`);
    return `${name}: ${parts.join(', ')}`;
  });
  const trouble = [
    lateSteps > 0 ? `${lateSteps} late` : '',
    reconnects > 0 ? `${reconnects} × reconnected` : '',
  ];
  return [
    `CARLA ${server}`,
    `ego ${egoId}${isOurs ? '' : ' (driven by others)'}`,
    `${tS.toFixed(1)} s`,
    `${(speedMps * 3.6).toFixed(0)} km/h`,
    ...trouble.filter((text) => text !== ''),
    ...told,
  ].join('; ');
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
