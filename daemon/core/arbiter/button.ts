/**
 * Presses of a feedback button, told apart from its edges: one press, or two within half a second. Contacts bounce and
 * messages come late, so a press counts only after quiet, and a single one only when no second can come any more.
 */

export interface ButtonEdge {
  readonly isPressed: boolean;
  readonly atUs: number;
}

export interface ButtonState {
  /** null = not seen yet: a button that is down from the beginning was pressed by nobody now */
  readonly isDown: boolean | null;
  readonly lastEdgeUs: number | null;
  /** a first press that may become a double one */
  readonly firstPressUs: number | null;
  /** presses up to here belong to what was told already */
  readonly quietUntilUs: number | null;
}

export const initialButton: ButtonState = {
  isDown: null,
  lastEdgeUs: null,
  firstPressUs: null,
  quietUntilUs: null,
};

export type ButtonGesture = 'single' | 'double';

/** Contacts of switches settle within 20 ms; wheel electronics and bus cycles add as much again. Ours. */
export const debounceUs = 60_000;
/** Two presses within this time are one double press, as on desktops. Ours. */
export const doublePressUs = 500_000;
/** An edge may reach the core this long after it happened. */
const edgeDelayUs = 100_000;

/** @param edges in the order of time; what lies in the future of the tick is taken as now */
export function advanceButton(
  state: ButtonState,
  edges: readonly ButtonEdge[],
  tUs: number,
): { readonly state: ButtonState; readonly gesture: ButtonGesture | null } {
  let next = state;
  let gesture: ButtonGesture | null = null;
  for (const { isPressed, atUs } of edges) {
    const at = Math.min(tUs, Math.max(atUs, next.lastEdgeUs ?? atUs));
    if (next.isDown === isPressed) continue;
    const isQuiet = next.lastEdgeUs === null || at - next.lastEdgeUs >= debounceUs;
    const isPress = isPressed && next.isDown === false && isQuiet;
    next = { ...next, isDown: isPressed, lastEdgeUs: at };
    if (!isPress || (next.quietUntilUs !== null && at <= next.quietUntilUs)) continue;
    if (next.firstPressUs !== null && at - next.firstPressUs <= doublePressUs) {
      gesture = 'double';
      next = { ...next, firstPressUs: null, quietUntilUs: at + doublePressUs };
    } else if (next.firstPressUs === null) next = { ...next, firstPressUs: at };
  }
  const { firstPressUs } = next;
  if (gesture === null && firstPressUs !== null && tUs - firstPressUs > doublePressUs + edgeDelayUs) {
    gesture = 'single';
    next = { ...next, firstPressUs: null };
  }
  return { state: next, gesture };
}

/**
 * Edges out of the samples of a flag: the value, and how often it changed since the tick before. A pulse that began and
 * ended between two ticks is a press and its release.
 */
export function edgesOf(
  state: ButtonState,
  samples: readonly {
    readonly value: number | null;
    readonly observedAtUs: number;
    readonly changes: number;
  }[],
): ButtonEdge[] {
  const edges: ButtonEdge[] = [];
  let isDown = state.isDown;
  for (const { value, observedAtUs: atUs, changes } of samples) {
    if (value === null) continue;
    const isPressed = value >= 0.5;
    if (!isPressed && isDown === false && changes >= 2) edges.push({ isPressed: true, atUs });
    if (isPressed !== isDown || edges.length > 0) edges.push({ isPressed, atUs });
    isDown = isPressed;
  }
  return edges;
}
