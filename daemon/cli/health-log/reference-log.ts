/** Messages of a recording of the same car that is known to be good. */
import { FRAME_ERROR, FRAME_EXT, FRAME_REMOTE } from '../../core/can/frame-batch.js';
import { messageKey } from '../../core/can/message-watch.js';
import type { ReportFinding } from '../../core/safety/health/health-report.js';
import { idText } from '../../vehicles/diagnostics/diagnostic-id.js';
import { isDiagnosticId } from '../../vehicles/health/diagnostic-reader.js';
import { readLog } from '../read-log.js';

/** Fewer frames than these are chance. */
const leastFrames = 5;
const messagesMaxCount = 65_536;

/** Reads the reference and returns a function that says which of its messages are not among `seen`. */
export async function readReference(
  path: string,
  signal: AbortSignal,
): Promise<(seen: ReadonlySet<number>) => ReportFinding[]> {
  const frames = new Map<number, { count: number; text: string }>();
  await readLog(path, signal, (batch) => {
    for (let i = 0; i < batch.count; i++) {
      const flags = batch.flags[i]!;
      const id = batch.id[i]!;
      const isExtended = (flags & FRAME_EXT) !== 0;
      if ((flags & (FRAME_ERROR | FRAME_REMOTE)) !== 0 || isDiagnosticId(id, isExtended)) continue;
      const key = messageKey(0, id, isExtended);
      const known = frames.get(key);
      if (known !== undefined) known.count++;
      else if (frames.size < messagesMaxCount) frames.set(key, { count: 1, text: idText(id, isExtended) });
    }
  });
  return (seen) =>
    [...frames]
      .filter(([key, { count }]) => count >= leastFrames && !seen.has(key))
      .sort(([a], [b]) => a - b)
      .map(([, { text, count }]) => ({
        code: 'message_missing' as const,
        subject: `${text} (${count} frames there)`,
      }));
}
