const held = new Set<object>();

/**
 * Keeps a channel of the npm package `socketcan` until the event loop has closed its handles. The package frees them
 * with the channel (native/can.cc 4.0.7: `uv_close` without a callback, handles inside the object), and a collection of
 * garbage before the loop gets there makes libuv abort the process: "uv__finish_close: Assertion".
 */
export function holdUntilClosed(channel: object): void {
  held.add(channel);
  // Handles are closed at the end of a turn; one that begins now may already be past it.
  setImmediate(() => setImmediate(() => held.delete(channel)));
}

/** Stops a channel and keeps it as long as the package needs it. */
export function stopChannel(channel: { stop(): void }): void {
  channel.stop();
  holdUntilClosed(channel);
}
