/** A small RTSP player for tests: asks, and puts pictures together from RTP/JPEG as RFC 2435 says. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RtspAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RtpPicture {
  readonly timestamp: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly type: number;
  /** of the first packet, with its own header; empty where there is none */
  readonly extension: Buffer;
  readonly tables: Buffer;
  readonly data: Buffer;
}

/** Pictures of one stream out of its packets; a gap in the sequence drops the picture. */
export class PictureJoin {
  readonly pictures: RtpPicture[] = [];
  #parts: Buffer[] = [];
  #tables = Buffer.alloc(0);
  #extension = Buffer.alloc(0);
  #next: number | null = null;
  gaps = 0;

  take(packet: Buffer): void {
    const sequence = packet.readUInt16BE(2);
    if (this.#next !== null && sequence !== this.#next) {
      this.gaps++;
      this.#parts = [];
    }
    this.#next = (sequence + 1) & 0xffff;
    const extensionBytes = ((packet[0] as number) & 0x10) === 0 ? 0 : 4 + 4 * packet.readUInt16BE(14);
    const jpeg = packet.subarray(12 + extensionBytes);
    const offset = jpeg.readUIntBE(1, 3);
    let at = 8;
    if (offset === 0) {
      const length = jpeg.readUInt16BE(10);
      this.#tables = Buffer.from(jpeg.subarray(12, 12 + length));
      this.#extension = Buffer.from(packet.subarray(12, 12 + extensionBytes));
      at = 12 + length;
      this.#parts = [];
    }
    this.#parts.push(Buffer.from(jpeg.subarray(at)));
    if (((packet[1] as number) & 0x80) === 0) return;
    this.pictures.push({
      timestamp: packet.readUInt32BE(4),
      type: jpeg[4] as number,
      widthPx: 8 * (jpeg[6] as number),
      heightPx: 8 * (jpeg[7] as number),
      extension: this.#extension,
      tables: this.#tables,
      data: Buffer.concat(this.#parts),
    });
  }
}

export class RtspPlayer {
  readonly socket: Socket;
  readonly join = new PictureJoin();
  readonly reports: Buffer[] = [];
  #held = Buffer.alloc(0);
  #answers: RtspAnswer[] = [];
  #cseq = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      this.#held = Buffer.concat([this.#held, chunk]);
      while (this.#read());
    });
  }

  static async open(port: number): Promise<RtspPlayer> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RtspPlayer(socket);
  }

  async ask(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RtspAnswer> {
    const lines = Object.entries({ CSeq: String(++this.#cseq), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    this.socket.write(`${method} ${url} RTSP/1.0\r\n${head}\r\n`);
    while (this.#answers.length === 0) {
      if (this.socket.destroyed) throw new Error('the server has ended the connection');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.#answers.shift() as RtspAnswer;
  }

  async pictures(count: number): Promise<readonly RtpPicture[]> {
    while (this.join.pictures.length < count) await new Promise((resolve) => setImmediate(resolve));
    return this.join.pictures;
  }

  #read(): boolean {
    if (this.#held[0] === 0x24) {
      if (this.#held.length < 4 || this.#held.length < 4 + this.#held.readUInt16BE(2)) return false;
      const packet = this.#held.subarray(4, 4 + this.#held.readUInt16BE(2));
      if (this.#held[1] === 0) this.join.take(packet);
      else this.reports.push(Buffer.from(packet));
      this.#held = this.#held.subarray(4 + packet.length);
      return this.#held.length > 0;
    }
    const end = this.#held.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [first = '', ...lines] = this.#held.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    if (this.#held.length < end + 4 + length) return false;
    const body = this.#held.subarray(end + 4, end + 4 + length).toString();
    this.#held = this.#held.subarray(end + 4 + length);
    this.#answers.push({ status: Number(first.split(' ')[1]), headers, body });
    return this.#held.length > 0;
  }
}

/** Two UDP ports of ours, with what comes to them. */
export async function udpPorts(join: PictureJoin): Promise<{
  rtp: number;
  rtcp: number;
  /** sends an empty receiver report to the server's port */
  report(port: number): void;
  close(): void;
}> {
  const [rtp, rtcp] = [createSocket('udp4'), createSocket('udp4')];
  for (const socket of [rtp, rtcp]) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  rtp.on('message', (packet) => join.take(packet));
  return {
    rtp: rtp.address().port,
    rtcp: rtcp.address().port,
    report: (port) => rtcp.send(Buffer.from('80c9000100000001', 'hex'), port, '127.0.0.1'),
    close() {
      rtp.close();
      rtcp.close();
    },
  };
}
