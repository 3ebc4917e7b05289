/** Name of the signal service's socket in the state directory. */
export const signalSocketName = 'signals.sock';
