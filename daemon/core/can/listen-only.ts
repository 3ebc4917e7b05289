/**
 * Whether an interface is known not to touch its bus. A controller in listen-only mode (ISO 11898-1: bus monitoring)
 * sends neither frames nor acknowledgements nor error flags. Nothing is taken for granted: what a driver does not say,
 * or says in a form that does not hold together, is not known.
 */

export type ListenOnlyFinding =
  | 'listen_only'
  /** the controller acknowledges frames and could send */
  | 'off'
  /** a controller of which the driver does not say it */
  | 'untold'
  /** no controller and no bus behind it (vcan, vxcan): there is nothing that could be verified */
  | 'virtual'
  | 'absent';

export interface ListenOnlyEvidence {
  readonly isPresent: boolean;
  /** driver family of the link, `can` where there is a controller; null = not told */
  readonly family: string | null;
  /** null = no facts about a controller; `isListenOnly` null = facts, but not this one */
  readonly controller: { readonly isListenOnly: boolean | null } | null;
}

export function listenOnlyFinding({ isPresent, family, controller }: ListenOnlyEvidence): ListenOnlyFinding {
  if (!isPresent) return 'absent';
  if (controller === null) return family === null || family === 'can' ? 'untold' : 'virtual';
  if (controller.isListenOnly === null) return 'untold';
  return controller.isListenOnly ? 'listen_only' : 'off';
}

/** How to get there, for people. */
export const listenOnlyAdvice =
  'ip link set NAME down; ip link set NAME type can bitrate RATE listen-only on; ip link set NAME up';

/** Why an interface with this finding is refused where listen-only is required; null = it is not. */
export function listenOnlyRefusal(finding: ListenOnlyFinding, family: string | null): string | null {
  switch (finding) {
    case 'listen_only':
      return null;
    case 'off':
      return 'would acknowledge and could send: its controller is not in listen-only mode';
    case 'untold':
      return 'has a driver that does not say whether its controller is in listen-only mode';
    case 'virtual':
      return `is a ${family} interface without a controller that could be verified`;
    case 'absent':
      return 'is not there, so nothing about it can be verified';
  }
}
