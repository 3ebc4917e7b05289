import type { RtspRequest } from './rtsp-request.js';

export interface RtspReply {
  readonly status: string;
  /** several values are several headers */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

export const ok = (headers: RtspReply['headers'] = {}, body = ''): RtspReply => ({
  status: '200 OK',
  headers,
  body,
});

export const refusal = (status: string, headers: RtspReply['headers'] = {}): RtspReply => ({
  status,
  headers,
  body: '',
});

/** As it stands on the wire (RFC 2326, 7). */
export function replyText({ cseq }: Pick<RtspRequest, 'cseq'>, { status, headers, body }: RtspReply): string {
  const all: RtspReply['headers'] = {
    CSeq: cseq,
    Server: 'drivemcp',
    ...headers,
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return `RTSP/1.0 ${status}\r\n${lines.join('')}\r\n${body}`;
}
