import type { OpenFrameLog } from '../../daemon/ports.js';
import type { ExpertTool } from '../shared/expert-tool.js';
import { dbcCheckTool } from './dbc/dbc-check.js';
import { dbcDiffTool } from './dbc/dbc-diff.js';
import { dbcInfoTool } from './dbc/dbc-info.js';
import { decodeFrameTool } from './dbc/decode-frame.js';
import { findSignalsTool } from './dbc/find-signals.js';
import { messageLayoutTool } from './dbc/message-layout.js';
import { DbcShelf } from './files/dbc-shelf.js';
import { FileFolders } from './files/file-folders.js';
import { logDecodeTool } from './log/log-decode.js';
import { logProbeTool } from './log/log-probe.js';
import { logStatsTool } from './log/log-stats.js';
import type { LogAccess } from './log/scan-log.js';
import { signalSeriesTool } from './log/signal-series.js';
import { canDtcsTool } from './vehicle/can-dtcs.js';
import { canHealthTool } from './vehicle/can-health-tool.js';
import { canSignalsTool } from './vehicle/can-signals.js';

export interface CanToolsOptions {
  /** folders whose files may be read, and nothing else; none = the file tools refuse every file */
  readonly folders: readonly string[];
  /** opens logs; given by whoever puts the parts together, because experts do not see the log readers */
  readonly openLog: OpenFrameLog;
  /** socket of the daemon's signal service; null = no daemon is asked */
  readonly signalSocket: string | null;
}

/**
 * The tools of the vehicle expert, in a fixed order.
 * @throws DriveMcpError FILE_MISSING where a folder is not there
 */
export function canTools(options: CanToolsOptions): readonly ExpertTool[] {
  const folders = new FileFolders(options.folders);
  const shelf = new DbcShelf(folders);
  const access: LogAccess = { folders, openLog: options.openLog };
  const { signalSocket } = options;
  return [
    canHealthTool(access, shelf, signalSocket),
    canSignalsTool(access, shelf, signalSocket),
    canDtcsTool(access, shelf, signalSocket),
    dbcInfoTool(shelf),
    findSignalsTool(shelf),
    messageLayoutTool(shelf),
    decodeFrameTool(shelf),
    dbcCheckTool(shelf),
    dbcDiffTool(shelf),
    logProbeTool(access, shelf),
    logStatsTool(access, shelf),
    logDecodeTool(access, shelf),
    signalSeriesTool(access, shelf),
  ];
}
