/** What can be muted, except `hazard`. */
export const messageClasses = ['hazard', 'friction', 'vehicle', 'law', 'speed', 'answer', 'status'] as const;
export type MessageClass = (typeof messageClasses)[number];
