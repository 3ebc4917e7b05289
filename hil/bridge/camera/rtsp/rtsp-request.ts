/** Requests of RTSP 1.0 (RFC 2326) out of a byte stream, with interleaved packets of the client read over. */
export interface RtspRequest {
  readonly method: string;
  readonly url: string;
  readonly cseq: string;
  /** names in lower case */
  readonly headers: ReadonlyMap<string, string>;
}

const maxHeadBytes = 8192;
const maxBodyBytes = 4096;
const dollar = 0x24;

export class RtspReader {
  #held: Buffer = Buffer.alloc(0);
  /** interleaved packets, receiver reports mostly: they say that the client is alive */
  interleaved = 0;

  /** @throws RangeError where it is no RTSP, or more than is read of one request */
  push(chunk: Buffer): readonly RtspRequest[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const requests: RtspRequest[] = [];
    for (;;) {
      if (this.#held[0] === dollar) {
        if (this.#held.length < 4) break;
        const length = 4 + this.#held.readUInt16BE(2);
        if (this.#held.length < length) break;
        this.#held = this.#held.subarray(length);
        this.interleaved++;
        continue;
      }
      const end = this.#held.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#held.length > maxHeadBytes) throw new RangeError('a head without an end');
        break;
      }
      if (end > maxHeadBytes) throw new RangeError(`a head of ${end} bytes`);
      const request = readHead(this.#held.subarray(0, end).toString('latin1'));
      const bodyBytes = Number(request.headers.get('content-length') ?? 0);
      if (!Number.isInteger(bodyBytes) || bodyBytes < 0 || bodyBytes > maxBodyBytes)
        throw new RangeError(`a body of ${bodyBytes} bytes`);
      if (this.#held.length < end + 4 + bodyBytes) break;
      this.#held = this.#held.subarray(end + 4 + bodyBytes);
      requests.push(request);
    }
    return requests;
  }
}

function readHead(text: string): RtspRequest {
  const [first = '', ...lines] = text.replace(/^(\r\n)+/, '').split('\r\n');
  const parts = /^([A-Z_]{1,20}) (\S{1,1024}) RTSP\/1\.0$/.exec(first);
  if (parts === null) throw new RangeError('no request line of RTSP 1.0');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new RangeError('a header without a colon');
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const cseq = headers.get('cseq') ?? '';
  if (!/^\d{1,10}$/.test(cseq)) throw new RangeError('no CSeq');
  const [, method = '', url = ''] = parts;
  return { method, url, cseq, headers };
}

/** How pictures are to be sent, of the alternatives in a Transport header the first that there is. */
export type RtspTransport =
  | { readonly kind: 'interleaved'; readonly rtp: number; readonly rtcp: number }
  | { readonly kind: 'udp'; readonly rtp: number; readonly rtcp: number };

export function readTransport(header: string): RtspTransport | null {
  for (const alternative of header.slice(0, 1024).split(',')) {
    const [profile = '', ...parameters] = alternative.trim().split(';');
    if (parameters.includes('multicast')) continue;
    const pair = (name: string): readonly [number, number] | null => {
      const text = parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
      const parts = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text ?? '');
      return parts === null ? null : [Number(parts[1]), Number(parts[2] ?? Number(parts[1]) + 1)];
    };
    if (profile === 'RTP/AVP/TCP') {
      const [rtp, rtcp] = pair('interleaved') ?? [0, 1];
      if (rtp <= 255 && rtcp <= 255 && rtp !== rtcp) return { kind: 'interleaved', rtp, rtcp };
    } else if (profile === 'RTP/AVP' || profile === 'RTP/AVP/UDP') {
      const ports = pair('client_port');
      // Ports below 1024 belong to services of the client's machine.
      if (ports?.every((port) => port >= 1024 && port <= 65_535) && ports[0] !== ports[1])
        return { kind: 'udp', rtp: ports[0], rtcp: ports[1] };
    }
  }
  return null;
}
