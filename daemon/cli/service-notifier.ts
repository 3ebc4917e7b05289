import { loadHost } from '../../native/index.js';

/** How a live run tells its service manager something; undefined where there is none, or no module that could. */
export function serviceNotifier(notice: (text: string) => void): ((state: string) => number) | undefined {
  if (!process.env['NOTIFY_SOCKET']) return undefined;
  const { module, ...rest } = loadHost();
  if (module !== null) return (state) => module.notify(state);
  notice(`a service manager waits, but nothing can be told to it: ${'reason' in rest ? rest.reason : ''}`);
  return undefined;
}
