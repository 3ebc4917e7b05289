import type { OpenFrameLog } from '../ports.js';

/** Opens a log; the readers of all formats are loaded with the first one, not with the command. */
export const lazyOpenLog: OpenFrameLog = async (path, options) => {
  const { openLog } = await import('../sources/logs/open-log.js');
  return openLog(path, options);
};
