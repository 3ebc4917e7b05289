/** Degraded modes, best first. What each allows: `ARCHITECTURE.md`, "Modes". */
export const modes = ['NORMAL', 'ADVISORY', 'MONITOR', 'STOPPED'] as const;
export type Mode = (typeof modes)[number];
