/** A record is a few kilobytes; a line far beyond that is no export. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * Lines of an export, split at LF alone: canonical JSON may hold U+2028 and CR is escaped in it, so what other
 * line readers take for ends of lines is data or damage here. Throws RangeError for an endless line and
 * TypeError for bytes that are not UTF-8.
 */
export async function* exportLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxLineBytes) throw new RangeError(`a line of more than ${maxLineBytes} bytes`);
  }
  if (parts.length > 0) yield decoder.decode(Buffer.concat(parts));
}
