/**
 * All subcommands. A group's file is loaded when one of its commands runs, so that `--help` and small
 * commands start fast and a missing optional package only stops the command that needs it.
 */
import { keepYoungGenerationSmall } from '../runtime/young-generation.js';
import type { CommandSpec } from './command.js';

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  load(): Promise<readonly CommandSpec[]>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'run',
    summary: 'play a drive or take a live one: decide, audit, record',
    load: () => loadSmall(() => import('./run.js')),
  },
  {
    name: 'replay',
    summary: 'decide again on recorded inputs, compare every tick',
    load: () => loadSmall(() => import('./replay.js')),
  },
  {
    name: 'explain',
    summary: "one tick's chain of reasons",
    load: async () => (await import('./explain.js')).commands,
  },
  {
    name: 'ask',
    summary: "a driver's question in words: law, road, car, a sign, the last warning",
    load: async () => (await import('./ask.js')).commands,
  },
  {
    name: 'status',
    summary: 'what the running daemon does: mode, interfaces, counters',
    load: async () => (await import('./status.js')).commands,
  },
  {
    name: 'feedback',
    summary: 'tell the running daemon: that warning was late, or not needed',
    load: async () => (await import('./feedback.js')).commands,
  },
  {
    name: 'preferences',
    summary: 'language, units, how much is said; hazards are always said',
    load: async () => (await import('./preferences.js')).commands,
  },
  {
    name: 'memory',
    summary: 'what is remembered over restarts: thresholds, feedback, rulepacks',
    load: async () => (await import('./memory.js')).commands,
  },
  {
    name: 'can',
    summary: 'decode logs of CAN frames; record and watch interfaces',
    load: async () => (await import('./can.js')).commands,
  },
  {
    name: 'dbc',
    summary: 'check DBC files; find the one that fits a log',
    load: async () => (await import('./dbc.js')).commands,
  },
  {
    name: 'health',
    summary: 'how the car is over a log, and why',
    load: async () => (await import('./health.js')).commands,
  },
  {
    name: 'dtc',
    summary: 'what trouble codes mean and what to do',
    load: async () => (await import('./dtc.js')).commands,
  },
  {
    name: 'obd',
    summary: 'diagnostics in logs: OBD, UDS, J1939; ask control units, where allowed',
    load: async () => (await import('./obd.js')).commands,
  },
  {
    name: 'rulepack',
    summary: 'write, check, test, build and sign packs of traffic rules',
    load: async () => (await import('./rulepack.js')).commands,
  },
  {
    name: 'audit',
    summary: 'verify, show and export the audit chain',
    load: async () => (await import('./audit.js')).commands,
  },
  {
    name: 'profile',
    summary: 'draft and check vehicle profiles: which DBC signal is what',
    load: async () => (await import('./profile.js')).commands,
  },
  {
    name: 'rules',
    summary: 'traffic rules and signs: what a sign means, which packs answer',
    load: async () => (await import('./rules.js')).commands,
  },
  {
    name: 'mcp',
    summary: 'the experts as MCP servers, for hosts on this machine',
    load: async () => (await import('./mcp.js')).commands,
  },
  {
    name: 'tools',
    summary: 'what the MCP servers offer, with the hash to pin',
    load: async () => (await import('./tools.js')).commands,
  },
  {
    name: 'models',
    summary: 'encoders for searching rules by meaning: install, check, list',
    load: async () => (await import('./models.js')).commands,
  },
  {
    name: 'config',
    summary: 'check and print the configuration',
    load: async () => (await import('./config.js')).commands,
  },
  {
    name: 'core',
    summary: 'compute vectors with the decision core',
    load: async () => (await import('./core.js')).commands,
  },
  {
    name: 'doctor',
    summary: 'look at this machine: what is missing, what to do',
    load: async () => (await import('./doctor.js')).commands,
  },
  {
    name: 'act',
    summary: 'the authorisation without which an ACT goes nowhere',
    load: async () => (await import('./act.js')).commands,
  },
  {
    name: 'hil',
    summary: 'simulated drives and control units',
    load: async () => (await import('./hil.js')).commands,
  },
];

/** Commands that stay in memory while a drive lasts. The young generation grows while modules load, so first. */
async function loadSmall(
  load: () => Promise<{ readonly commands: readonly CommandSpec[] }>,
): Promise<readonly CommandSpec[]> {
  keepYoungGenerationSmall();
  return (await load()).commands;
}
