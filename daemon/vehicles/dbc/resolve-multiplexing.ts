/** Finds for every multiplexed signal its selector and the selector values under which it is sent. */
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft, DraftMessage, DraftSignal } from './draft.js';

export function resolveMultiplexing(draft: Draft, log: DiagnosticLog): void {
  for (const message of draft.messages.values()) {
    const multiplexed = message.signals.filter(
      (signal) => signal.mark?.value != null || signal.extendedMux !== null,
    );
    if (multiplexed.length === 0) continue;
    const selectors = message.signals.filter(({ mark }) => mark?.isSelector === true && mark.value === null);
    for (const signal of multiplexed) resolveSignal(message, signal, selectors, log);
    flagCycles(message, log);
  }
}

/** Without SG_MUL_VAL_ the selector is the one signal marked plain M. */
function resolveSignal(
  message: DraftMessage,
  signal: DraftSignal,
  selectors: readonly DraftSignal[],
  log: DiagnosticLog,
): void {
  const given = signal.extendedMux;
  const selector = given ? message.byName.get(given.selector) : selectors[0];
  if (!given && selectors.length > 1) {
    log.report(
      signal,
      'mux_selector_ambiguous',
      `${message.name} has several selectors and no SG_MUL_VAL_ for ${signal.name}; ${selectors[0]!.name} is used`,
    );
  }
  const value = signal.mark?.value ?? null;
  const ranges = given?.ranges ?? (value === null ? [] : [{ from: value, to: value }]);
  if (!selector || selector.floatBits > 0) {
    signal.mux = { selector: null, ranges };
    signal.flaw = 'mux_selector';
    const missing = given ? `selector ${given.selector} does not exist` : 'the message has no selector';
    log.report(
      signal,
      'mux_selector_missing',
      `${message.name}.${signal.name}: ${selector ? 'its selector is a float' : missing}; it is never decoded`,
    );
    return;
  }
  if (!selector.isSelector) {
    selector.isSelector = true;
    log.report(
      selector,
      'mux_selector_unmarked',
      `${message.name}.${selector.name} selects ${signal.name} by SG_MUL_VAL_ but is not marked M`,
    );
  }
  signal.mux = { selector: selector.name, ranges };
}

/** Selectors that select each other never become active: they and what hangs on them are marked. */
function flagCycles(message: DraftMessage, log: DiagnosticLog): void {
  const byName = new Map(message.signals.map((signal) => [signal.name, signal]));
  const settled = new Set<DraftSignal>();
  for (const signal of message.signals) {
    const path = new Set<DraftSignal>();
    let at: DraftSignal | undefined = signal;
    while (at && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = at.mux?.selector == null ? undefined : byName.get(at.mux.selector);
    }
    if (at && path.has(at)) {
      let inCycle = false;
      for (const member of path) {
        if (member === at) inCycle = true;
        if (!inCycle) continue;
        member.flaw = 'mux_cycle';
        log.report(
          member,
          'mux_cycle',
          `${message.name}.${member.name} selects itself through ${member.mux?.selector ?? ''}; it is never decoded`,
        );
      }
    }
    for (const member of path) settled.add(member);
  }
}
