/**
 * From something that happens to the words about it: a gantry changes its limit at a random moment between two ticks of a
 * live loop, the rules expert is asked, its answer enters the next tick, the message is composed. Core, pool and experts
 * are the daemon's; source, store and sink are left out.
 */

import { createParams } from '../../daemon/core/params.js';
import { defaultSettings } from '../../daemon/core/settings.js';
import type { TickInputs, TickOutputs } from '../../daemon/core/tick.js';
import type { FactInput } from '../../daemon/core/world/facts.js';
import type { ToolClient } from '../../daemon/ports.js';
import { systemClock } from '../../daemon/runtime/clock.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { Decider } from '../../daemon/runtime/run-context.js';
import { createCanExpert } from '../../mcp/can/can-expert.js';
import { readPackSet } from '../../mcp/rules/install/installed-packs.js';
import { createRulesExpert } from '../../mcp/rules/rules-expert.js';
import { createWeatherExpert } from '../../mcp/weather/weather-expert.js';
import { fact, fairStart, speedSignal } from '../core/step-drive.js';
import { poolOf } from './expert-rig.js';

const periodUs = 50_000;
/** Ticks before the event: place, road and weather are known, their questions answered. */
const warmTicks = 30;
const giveUpTicks = 40;

export function inlineClients(): ToolClient[] {
  const packs = readPackSet(packageFile('rulepacks'), '/nonexistent').packs;
  const rules = createRulesExpert(new Map([...packs].map(([id, { pack }]) => [id, pack])));
  return [rules, createWeatherExpert(), createCanExpert()];
}

/** Milliseconds from the event to its words, one a sample; NaN where none came within two seconds. */
export async function eventToSpeechMs(clients: readonly ToolClient[], samples: number): Promise<number[]> {
  const result: number[] = [];
  for (let i = 0; i < samples; i++) result.push(await once(clients, i / samples));
  return result;
}

/** @param phase part of a period after the last tick at which it happens */
async function once(clients: readonly ToolClient[], phase: number): Promise<number> {
  const pool = poolOf(clients);
  const decider = new Decider({
    params: createParams('default'),
    settings: { ...defaultSettings, startJurisdiction: 'DEU' },
  });
  const tickOnce = (tick: number, facts: readonly FactInput[]): TickOutputs => {
    const tUs = tick * periodUs;
    const inputs: TickInputs = {
      tick,
      tUs,
      wallMs: Date.UTC(2026, 10, 30) + tUs / 1000,
      lateUs: 0,
      missedTicks: 0,
      signals: [speedSignal(20, tUs)],
      facts,
      answers: pool.takeAnswers(tUs),
      sources: [],
      store: { healthy: true, durableTick: tick - 1, lagUs: 0 },
      commands: [],
      actAuthorised: false,
    };
    const outputs = decider.decide(inputs);
    for (const id of outputs.cancels) pool.cancel(id);
    for (const request of outputs.requests) pool.submit(request, tUs);
    return outputs;
  };
  let tick = 0;
  for (; tick < warmTicks; tick++) {
    tickOnce(tick, tick === 0 ? fairStart(0) : []);
    await pool.settled();
  }
  const startUs = systemClock.monoUs();
  await systemClock.sleepUntilUs(startUs + phase * periodUs);
  const happenedUs = systemClock.monoUs();
  const gantry = fact('gantry', { id: 'g1', value: 80, unit: 'km/h' }, tick * periodUs);
  for (let i = 1; i <= giveUpTicks; i++, tick++) {
    await systemClock.sleepUntilUs(startUs + i * periodUs);
    if (tickOnce(tick, i === 1 ? [gantry] : []).utterance === null) continue;
    await pool.close();
    return (systemClock.monoUs() - happenedUs) / 1000;
  }
  await pool.close();
  return Number.NaN;
}
