import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import { systemClock } from '../runtime/clock.js';
import { printable } from '../runtime/printable.js';
import { type BusRow, BusTable } from '../sources/can/bus-table.js';
import { type InterfacePump, interfaceObject, lostFrames } from '../sources/can/interface-pump.js';
import { kernelFilters } from '../sources/can/kernel-filters.js';
import { compilePlan } from '../vehicles/dbc/compile-plan.js';
import type { DecodePlan } from '../vehicles/dbc/decode-plan.js';
import { loadProfile } from '../vehicles/profile/load-profile.js';
import { type CommandSpec, type Invocation, listOption, stringOption } from './command.js';
import { dbcOption, openDecodeSet } from './dbc-set.js';
import { interfaceEnd, secondsOf, secondsOption, watchBuses } from './live-buses.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

/** How often the table is drawn and an object is printed. */
const periodUs = 1_000_000;

export const monitorCommand: CommandSpec = {
  path: ['can', 'monitor'],
  summary: 'shows what interfaces receive: states, rates, signals; the process cannot send',
  positionals: 'IF[,IF]',
  arity: [1, 1],
  options: {
    dbc: dbcOption,
    profile: {
      type: 'string',
      value: 'PROFILE',
      help: 'vehicle profile: its DBC files, and only the messages that it reads',
    },
    seconds: secondsOption,
  },
  details:
    'On a terminal a table that is drawn anew once a second, in a pipe plain lines once a second, with --json one\nobject a second. States of the interfaces come with what to do about them; frames lost in the kernel or here\nare counted. A message that has not come for a second keeps its last values and shows its age.',
  examples: [
    ['drivemcp can monitor can0 --dbc car.dbc', 'everything on the bus, decoded where the DBC knows it'],
    ['drivemcp can monitor can0,can1 --profile ./my-car --json', 'one object a second'],
    ['drivemcp can monitor can0', 'identifiers and rates alone'],
  ],
  run: monitor,
};

interface View {
  readonly pump: InterfacePump;
  readonly table: BusTable;
  /** since the view before, s */
  readonly windowS: number;
  readonly elapsedUs: number;
  readonly wallUs: number;
}

async function monitor({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const seconds = secondsOf(values);
  const { plan, filters } = await planFor(values, terminal);
  const table = new BusTable(plan);
  const isScreen = !terminal.json && process.stdout.isTTY === true;
  let shownUs = 0;
  let elapsedUs = 0;
  const show = (pump: InterfacePump) => {
    const view = {
      pump,
      table,
      windowS: (elapsedUs - shownUs) / 1e6,
      elapsedUs,
      wallUs: systemClock.wallMs() * 1000,
    };
    shownUs = elapsedUs;
    if (terminal.json) terminal.object(viewObject(view));
    else if (isScreen) showScreen(view, terminal);
    else for (const line of plainLines(view)) terminal.line(line);
    terminal.flush();
    table.nextWindow();
  };
  const pump = await watchBuses({
    names: positionals[0]!,
    filters,
    seconds,
    terminal,
    signal,
    onFrames: (batch, timesUs) => table.consume(batch, timesUs),
    afterTurn: (running, nowUs) => {
      elapsedUs = nowUs;
      if (nowUs - shownUs >= periodUs) show(running);
      return false;
    },
  });
  if (elapsedUs > shownUs) show(pump);
  interfaceEnd(pump, elapsedUs, terminal);
  return 0;
}

async function planFor(
  values: Invocation['values'],
  terminal: Terminal,
): Promise<{ plan: DecodePlan; filters: Uint32Array | undefined }> {
  const profileName = stringOption(values, 'profile');
  const paths = listOption(values, 'dbc');
  if (profileName === undefined && paths.length === 0) return { plan: compilePlan([]), filters: undefined };
  const { plan } = await openDecodeSet(values, terminal);
  if (profileName === undefined) return { plan, filters: undefined };
  const { profile } = await loadProfile({ profile: profileName, dbcFiles: paths });
  if (profile.identifiers.length === 0) {
    throw new DriveMcpError('PROFILE_INVALID', 'the profile reads no message', {
      location: { file: profileName },
    });
  }
  return { plan, filters: kernelFilters(profile.identifiers) };
}

function viewObject({ pump, table, windowS, elapsedUs, wallUs }: View): JsonObject {
  return {
    t_s: elapsedUs / 1e6,
    interfaces: pump.interfaces.map((one) => interfaceObject(one, elapsedUs)),
    frames: table.frames,
    error_frames: table.errorFrames,
    remote_frames: table.remoteFrames,
    other_frames: table.others,
    messages: table.rows().map((row) => ({
      interface: pump.interfaces[row.bus]?.port.name ?? null,
      id: row.id,
      ext: row.ext,
      name: row.message < 0 ? null : table.plan.messageName[row.message]!,
      frames: row.frames,
      rate_hz: rate(row, windowS),
      age_s: ageS(row, wallUs),
      length: row.length,
      data: hex(row),
      signals: Object.fromEntries(
        signalsOf(table.plan, row).map(({ name, value, unit, label }) => [
          name,
          { value: Number.isFinite(value) ? value : null, unit, label: label ?? null },
        ]),
      ),
    })),
  };
}

/** The whole screen in one write, so that it does not flicker; what does not fit is counted, not scrolled. */
function showScreen(view: View, terminal: Terminal): void {
  const lines = [...interfaceLines(view, terminal), '', ...tableLines(view)];
  const height = Math.max(5, (process.stdout.rows ?? 40) - 1);
  const shown = lines.length <= height ? lines : lines.slice(0, height - 1);
  if (shown.length < lines.length)
    shown.push(`… ${lines.length - shown.length} lines more; a larger terminal or --json shows them`);
  const width = terminal.columns;
  terminal.screen(shown.map((line) => (line.includes('\u001b') ? line : line.slice(0, width))));
}

function plainLines(view: View): string[] {
  const prefix = `${(view.elapsedUs / 1e6).toFixed(1)} s`;
  const fresh = tableLines(view, (row) => row.framesInWindow > 0);
  return [...interfaceLines(view).map((line) => `${prefix}  ${line}`), ...fresh.map((line) => `  ${line}`)];
}

function interfaceLines({ pump, table, windowS, elapsedUs }: View, terminal?: Terminal): string[] {
  const frames = new Map<number, number>();
  for (const row of table.rows()) frames.set(row.bus, (frames.get(row.bus) ?? 0) + row.framesInWindow);
  return pump.interfaces.map((one, bus) => {
    const { state, state_s: stateS, advice, error_frames: errors } = interfaceObject(one, elapsedUs);
    const perSecond = windowS > 0 ? Math.round((frames.get(bus) ?? 0) / windowS) : 0;
    const isFine = state === 'up';
    const told = `${state} for ${Number(stateS).toFixed(0)} s${isFine ? '' : ` (${advice})`}`;
    const styled = terminal ? terminal.style(told, isFine ? 'green' : 'red') : told;
    const { malformed } = one.port.counters();
    const trouble = malformed > 0 ? `, ${malformed} malformed` : '';
    return `${one.port.name}  ${styled}, ${perSecond} frames/s, ${errors} error frames, ${lostFrames(one)} lost${trouble}`;
  });
}

function tableLines(
  { pump, table, windowS, wallUs }: View,
  wanted: (row: BusRow) => boolean = () => true,
): string[] {
  const cells = table
    .rows()
    .filter(wanted)
    .map((row) => [
      pump.interfaces[row.bus]?.port.name ?? '',
      row.id
        .toString(16)
        .toUpperCase()
        .padStart(row.ext ? 8 : 3, '0'),
      row.message < 0 ? '' : printable(table.plan.messageName[row.message]!),
      rate(row, windowS).toFixed(1),
      String(row.frames),
      `${ageS(row, wallUs).toFixed(1)}`,
      row.message < 0 ? hex(row) : signalText(table.plan, row),
    ]);
  const lines = columns(
    [['bus', 'id', 'message', 'Hz', 'frames', 'age s', 'signals or bytes'], ...cells],
    ['left', 'left', 'left', 'right', 'right', 'right', 'left'],
  );
  if (table.others > 0) lines.push(`${table.others} frames of further identifiers are not listed`);
  return lines;
}

function signalText(plan: DecodePlan, row: BusRow): string {
  return signalsOf(plan, row)
    .map(({ name, value, unit, label }) => {
      const shown = Number(value.toPrecision(7));
      return printable(
        `${name}=${shown}${unit === '' ? '' : ` ${unit}`}${label === undefined ? '' : ` (${label})`}`,
      );
    })
    .join('  ');
}

function signalsOf(plan: DecodePlan, row: BusRow) {
  if (row.message < 0) return [];
  const first = plan.messageFirstSignal[row.message]!;
  return Array.from(row.values, (value, k) => ({
    name: plan.signalName[first + k]!,
    value,
    unit: plan.signalUnit[first + k]!,
    label: row.labels[k],
  })).filter(({ value }) => !Number.isNaN(value));
}

function rate(row: BusRow, windowS: number): number {
  return windowS > 0 ? Math.round((row.framesInWindow / windowS) * 10) / 10 : 0;
}

function ageS(row: BusRow, wallUs: number): number {
  return Math.max(0, Math.round((wallUs - row.lastUs) / 1e4) / 100);
}

function hex(row: BusRow): string {
  return Buffer.from(row.data.subarray(0, row.length)).toString('hex').toUpperCase();
}
