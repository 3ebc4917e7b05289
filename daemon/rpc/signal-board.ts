/**
 * What the signal service shows: the latest value of every signal, and by reference the core's state of the last tick. Handing
 * over costs a tick one pass over its new samples; answers are put together when somebody asks, between ticks.
 */
import type { DiagnosticMemory } from '../core/safety/health/diagnostic-memory.js';
import { troubleCodesOf } from '../core/safety/health/diagnostic-memory.js';
import type { CoreState } from '../core/state.js';
import type { JsonObject, TickInputs, TickOutputs } from '../core/tick.js';
import { vssCatalogue } from '../vehicles/vss/catalogue.js';
import { worldObject } from './world-object.js';

/** Signals that are kept; a profile maps a few hundred. */
const signalsMaxCount = 2048;

export interface BoardParts {
  /** as `status.json` has it */
  readonly status: () => JsonObject;
  /** what control units were heard to say; null = nobody listens to diagnostics in this run */
  readonly diagnostics: () => DiagnosticMemory | null;
}

export class SignalBoard {
  /** samples of signals beyond the bound */
  dropped = 0;
  readonly #parts: BoardParts;
  readonly #signals = new Map<string, { value: number | null; observedAtUs: number }>();
  #last: Pick<TickInputs, 'tick' | 'tUs' | 'wallMs'> & { readonly mode: string } = {
    tick: -1,
    tUs: 0,
    wallMs: 0,
    mode: '',
  };
  #core: CoreState | null = null;

  constructor(parts: BoardParts) {
    this.#parts = parts;
  }

  /** To be shown every tick. Plain data of the core is never changed after a tick, so that it is kept as it is. */
  watch(inputs: TickInputs, outputs: TickOutputs, core: CoreState): void {
    for (const { path, value, observedAtUs } of inputs.signals) {
      const known = this.#signals.get(path);
      if (known !== undefined) {
        known.value = value;
        known.observedAtUs = observedAtUs;
      } else if (this.#signals.size < signalsMaxCount) this.#signals.set(path, { value, observedAtUs });
      else this.dropped++;
    }
    this.#last = { tick: inputs.tick, tUs: inputs.tUs, wallMs: inputs.wallMs, mode: outputs.mode };
    this.#core = core;
  }

  /** @param paths only these and what is below them; undefined = all that are granted */
  signals(grants: (path: string) => boolean, paths: readonly string[] | undefined): JsonObject {
    const wanted = (path: string): boolean =>
      paths === undefined || paths.some((one) => path === one || path.startsWith(`${one}.`));
    const signals: { [path: string]: JsonObject } = {};
    for (const path of [...this.#signals.keys()].sort()) {
      if (!wanted(path) || !grants(path)) continue;
      const { value, observedAtUs } = this.#signals.get(path)!;
      signals[path] = {
        value: value !== null && Number.isFinite(value) ? value : null,
        unit: vssCatalogue.get(path)?.unit ?? '',
        age_ms: Math.round((this.#last.tUs - observedAtUs) / 1000),
      };
    }
    return { ...this.#moment(), signals };
  }

  status(): JsonObject {
    return { ...this.#moment(), status: this.#parts.status() };
  }

  health(): JsonObject {
    const summary = this.#core?.condition.summary ?? null;
    if (summary === null) return { ...this.#moment(), health: null };
    return {
      ...this.#moment(),
      health: {
        health: summary.health,
        health_risk: summary.healthRisk,
        coverage: summary.coverage,
        brake_effectiveness: summary.brakeEffectiveness,
        contributions: summary.contributions.map(({ indicator, group, points, severity, sources }) => ({
          indicator,
          group,
          points,
          severity,
          sources,
        })),
        stale: summary.stale,
        findings: summary.findings.map(({ code, path }) => ({ code, path })),
      },
    };
  }

  /** `heard` false: nobody listens to diagnostics in this run; `codes` null: no unit has listed any yet. */
  dtcs(): JsonObject {
    const memory = this.#parts.diagnostics();
    const codes = memory === null ? undefined : troubleCodesOf(memory);
    return {
      ...this.#moment(),
      heard: memory !== null,
      codes: codes?.map(({ code, status, ecu }) => ({ code, status, ecu })) ?? null,
    };
  }

  world(): JsonObject {
    const core = this.#core;
    return { ...this.#moment(), world: core === null ? null : worldObject(core.world, this.#last.tUs) };
  }

  #moment(): JsonObject {
    const { tick, tUs, wallMs, mode } = this.#last;
    return { tick, t_s: tUs / 1e6, wall_ms: wallMs, mode };
  }
}
