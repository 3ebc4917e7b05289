/** What an interface is to the decisions: a source that is fresh, delivers with a caution, or is lost. */
import type { SourceState } from '../tick.js';
import { canReceive, type InterfaceLife, interfaceAdvice } from './interface-life.js';
import { type ListenOnlyFinding, listenOnlyAdvice } from './listen-only.js';

/**
 * @param requiresListenOnly verified when the interfaces are opened; one that comes back another way counts as lost,
 * because a daemon that may disturb the bus is not the one that was wanted
 */
export function interfaceSourceState(
  { name, state }: Pick<InterfaceLife, 'name' | 'state'>,
  listenOnly: ListenOnlyFinding,
  requiresListenOnly: boolean,
): SourceState {
  if (!canReceive(state)) return { name, kind: 'can', required: true, state: 'lost', detail: state };
  if (requiresListenOnly && listenOnly !== 'listen_only')
    return { name, kind: 'can', required: true, state: 'lost', detail: 'not_listen_only' };
  if (state === 'up') return { name, kind: 'can', required: false, state: 'fresh' };
  // An interface that only warns still delivers: it degrades, it does not blind.
  return { name, kind: 'can', required: false, state: 'stale', detail: state };
}

/** What to do about an interface, for people; `requiresListenOnly` as above. */
export function adviceFor(
  { name, state }: Pick<InterfaceLife, 'name' | 'state'>,
  listenOnly: ListenOnlyFinding,
  requiresListenOnly: boolean,
): string {
  const isRefused = requiresListenOnly && listenOnly !== 'listen_only' && canReceive(state);
  return (isRefused ? listenOnlyAdvice : interfaceAdvice[state]).replaceAll('NAME', name);
}
