/** The camera of the bridge: JPEG, MJPEG over HTTP, RTP/JPEG over RTSP, from the encoder to the built command and to ffmpeg. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import fc from 'fast-check';
import t from 'tap';
import type { CameraFrame } from '../../hil/bridge/camera/camera-frame.js';
import { JpegEncoder } from '../../hil/bridge/camera/jpeg-encoder.js';
import { frameExtension } from '../../hil/bridge/camera/rtsp/frame-extension.js';
import { readJpegScan } from '../../hil/bridge/camera/rtsp/jpeg-scan.js';
import { goodbye, senderReport } from '../../hil/bridge/camera/rtsp/rtcp.js';
import { packetiseJpeg } from '../../hil/bridge/camera/rtsp/rtp-jpeg.js';
import { RtspReader, readTransport } from '../../hil/bridge/camera/rtsp/rtsp-request.js';
import { browserMissing, openBrowser } from '../helpers/browser.js';
import {
  asJpeg,
  black,
  decode,
  first,
  heightPx,
  huffmanSegments,
  picture,
  pixels,
  sentWallUs,
  serveCamera,
  widthPx,
} from './camera-pictures.js';
import { PictureJoin, type RtpPicture, RtspPlayer, udpPorts } from './rtsp-player.js';

/** Tables K.3 to K.6 of ITU-T T.81: how many codes there are of each length, and their first values. */
const annexK = [
  [0x00, '00010501010101010100000000000000', '000102030405060708090a0b'],
  [0x10, '0002010303020403050504040000017d', '01020300041105122131410613516107'],
  [0x01, '00030101010101010101010000000000', '000102030405060708090a0b'],
  [0x11, '00020102040403040705040400010277', '00010203110405213106124151076171'],
] as const;

t.test('the Huffman tables are the ones that RTP does not send', (t) => {
  const tables = new Map<number, string>();
  for (const segment of huffmanSegments(first.jpeg))
    for (let at = 4; at < segment.length; ) {
      const lengths = segment.subarray(at + 1, at + 17);
      const end = at + 17 + lengths.reduce((sum, count) => sum + count, 0);
      tables.set(segment[at] as number, segment.subarray(at + 1, end).toString('hex'));
      at = end;
    }
  for (const [id, lengths, values] of annexK)
    t.ok(tables.get(id)?.startsWith(`${lengths}${values}`), `table ${id}`);
  t.equal(tables.size, 4);
  t.end();
});

t.test('one encoder, several pictures at once; one that fails does not stop the next', async (t) => {
  const own = await JpegEncoder.open(80);
  const image = (px: number) => ({
    widthPx: px,
    heightPx: px,
    fovDeg: 90,
    bgra: new Uint8Array(4 * px * px),
  });
  const sizes = [64, 160, 96].map((px) => own.encode(image(px)));
  t.same(
    (await Promise.all(sizes)).map((jpeg) => decode(jpeg).width),
    [64, 160, 96],
  );
  await t.rejects(own.encode({ ...image(0), widthPx: 0 }), { code: 'CAMERA_UNAVAILABLE' });
  t.equal(decode(await own.encode(image(72))).width, 72);
  const asked = own.encode(image(64));
  await Promise.all([t.rejects(asked, { code: 'CAMERA_UNAVAILABLE' }), own.close()]);
  await t.rejects(own.encode(image(72)), { message: /closed/ });
});

t.test('encoded colours are the picture’s', async (t) => {
  const decoded = pixels(first.jpeg);
  const at = (x: number, y: number): number[] => [...decoded.subarray(3 * (y * widthPx + x)).subarray(0, 3)];
  const [red = 0, green = 0, blue = 0] = at(120, 40);
  t.ok(
    Math.abs(red - 40) < 12 && Math.abs(green - 80) < 12 && Math.abs(blue - 120) < 12,
    String(at(120, 40)),
  );
});

t.test('packets hold the picture, in any size of packet', async (t) => {
  const scan = readJpegScan(first.jpeg);
  t.match(scan, { widthPx, heightPx, type: 1 });
  fc.assert(
    fc.property(
      fc.integer({ min: 256, max: 65_000 }),
      fc.nat(0xffff),
      fc.nat(),
      fc.option(fc.nat(), { nil: undefined }),
      (maxBytes, sequence, ssrc, frame) => {
        const join = new PictureJoin();
        const stamp = { receivedWallUs: 1, sentWallUs: 2 };
        const extension = frame === undefined ? {} : { extension: frameExtension({ frame, ...stamp }) };
        const place = { sequence, timestamp: 0xffff_ffff, ssrc, ...extension };
        const packets = packetiseJpeg(scan, place, maxBytes);
        for (const packet of packets) join.take(packet);
        const [whole] = join.pictures;
        return (
          packets.every((packet) => packet.length <= maxBytes && packet.readUInt32BE(8) === ssrc) &&
          join.gaps === 0 &&
          join.pictures.length === 1 &&
          whole?.data.equals(scan.data) === true &&
          whole.tables.equals(scan.tables) &&
          whole.extension.equals(extension.extension ?? Buffer.alloc(0))
        );
      },
    ),
  );
  const join = new PictureJoin();
  for (const packet of packetiseJpeg(scan, { sequence: 1, timestamp: 1, ssrc: 1 }, 1400)) join.take(packet);
  t.ok(pixels(asJpeg(join.pictures[0] as RtpPicture)).equals(pixels(first.jpeg)));
});

t.test('a sender report tells the wall clock (RFC 3550, 6.4.1)', (t) => {
  const report = senderReport({ ssrc: 7, wallUs: 1_500_000, timestamp: 9, packets: 3, payloadBytes: 4 });
  t.equal(report.readUInt32BE(8), 2_208_988_801, 'seconds since 1900');
  t.equal(report.readUInt32BE(12), 0x8000_0000, 'half a second');
  t.equal(report.readUInt16BE(30), 4, 'an SDES of five words');
  const bye = goodbye({ ssrc: 7, wallUs: 1_500_000, timestamp: 9, packets: 3, payloadBytes: 4 });
  t.same(bye.subarray(0, report.length), report);
  t.equal(bye.subarray(report.length).toString('hex'), '81cb000100000007', 'BYE of one source (6.6)');
  t.end();
});

t.test('extensions of the first packet: one-byte headers (RFC 8285), clocks as NTP', (t) => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(4e15), fc.nat(4e15), (frame, received, sent) => {
      const bytes = frameExtension({ frame, receivedWallUs: received, sentWallUs: sent });
      const ntpUs = (at: number): number =>
        (bytes.readUInt32BE(at) - 2_208_988_800) * 1e6 + (bytes.readUInt32BE(at + 4) / 2 ** 32) * 1e6;
      return (
        bytes.length === 4 + 4 * bytes.readUInt16BE(2) &&
        bytes.readUInt16BE(0) === 0xbede &&
        bytes[4] === 0x17 &&
        bytes[13] === 0x2f &&
        bytes.readBigUInt64BE(14) === BigInt(frame) &&
        // Before 2036, where NTP begins anew.
        (received > 2.08e15 || Math.abs(ntpUs(5) - received) <= 1) &&
        (sent > 2.08e15 || Math.abs(ntpUs(22) - sent) <= 1) &&
        bytes.subarray(30).every((byte) => byte === 0)
      );
    }),
  );
  t.end();
});

t.test('what RTP cannot carry is refused', async (t) => {
  for (const [jpeg, problem] of [
    [black(100, 60, {}), /multiples of 8/],
    [black(96, 64, { progressive: 1 }), /not baseline/],
    [black(96, 64, { sampling: 0 }), /neither 4:2:0/],
    [Buffer.from('GIF89a'), /no start/],
    [first.jpeg.subarray(0, 100), /segment of|no scan/],
  ] as const)
    t.throws(() => readJpegScan(jpeg), { code: 'CAMERA_UNAVAILABLE', message: problem });
  fc.assert(
    fc.property(fc.nat(first.jpeg.length - 1), fc.nat(255), (at, value) => {
      const bad = Buffer.from(first.jpeg);
      bad[at] = value;
      try {
        readJpegScan(bad);
      } catch (error) {
        if ((error as { code?: string }).code !== 'CAMERA_UNAVAILABLE') throw error;
      }
    }),
  );
});

t.test('RTSP: pictures inside the connection', async (t) => {
  const { frames, rtsp } = await serveCamera(t);
  const player = await RtspPlayer.open(rtsp.port);
  const url = `rtsp://127.0.0.1:${rtsp.port}/camera`;
  t.match((await player.ask('OPTIONS', url)).headers.get('public'), /DESCRIBE, SETUP, PLAY/);
  // Before the first picture.
  const described = await player.ask('DESCRIBE', url);
  t.match(
    described.body,
    /m=video 0 RTP\/AVP 26[\s\S]*a=x-dimensions:160,88[\s\S]*a=extmap:1 urn:ietf:params:rtp-hdrext:ntp-64/,
  );
  t.equal((await player.ask('PLAY', url)).status, 455, 'nothing is set up');
  const set = await player.ask('SETUP', `${url}/camera`, {
    Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1',
  });
  t.match(set.headers.get('transport'), /interleaved=0-1/);
  const session = set.headers.get('session')?.split(';')[0] ?? '';
  t.equal((await player.ask('PLAY', url, { Session: 'another' })).status, 454);
  t.equal((await player.ask('PLAY', url, { Session: session })).status, 200);
  for (let n = 1; n <= 3; n++) frames.publish(await picture(n));
  const got = await player.pictures(3);
  for (const [i, picked] of got.entries())
    t.ok(pixels(asJpeg(picked)).equals(pixels((await picture(i + 1)).jpeg)), `picture ${i + 1}`);
  t.equal(((got[1]?.timestamp ?? 0) - (got[0]?.timestamp ?? 0)) >>> 0, 9000, '100 ms of a 90 kHz clock');
  t.ok(player.reports.length > 0, 'with a report of the clock');
  const at = await picture(2);
  const stamp = { frame: 2, receivedWallUs: at.receivedWallUs, sentWallUs };
  t.same(got[1]?.extension, frameExtension(stamp), 'whose frame it is, when it came and was sent');
  t.equal((await player.ask('PAUSE', url, { Session: session })).status, 200);
  t.match(rtsp.counters(), { players: 0, sent: 3, skipped: 0 });
  t.equal((await player.ask('TEARDOWN', url, { Session: session })).status, 200);
  t.equal(player.reports.at(-1)?.subarray(-8).toString('hex').slice(0, 8), '81cb0001', 'and a BYE');
  t.equal((await player.ask('RECORD', url)).status, 501);
});

t.test('RTSP: pictures over UDP, to nobody but who asked', async (t) => {
  const { frames, rtsp } = await serveCamera(t);
  frames.publish(first);
  const player = await RtspPlayer.open(rtsp.port);
  const ports = await udpPorts(player.join);
  t.teardown(() => ports.close());
  const url = `rtsp://127.0.0.1:${rtsp.port}/camera`;
  for (const transport of ['RTP/AVP;multicast', 'RTP/AVP;unicast;client_port=80-81', 'RAW/RAW/UDP'])
    t.equal((await player.ask('SETUP', url, { Transport: transport })).status, 461, transport);
  const transport = `RTP/AVP;unicast;destination=192.0.2.1;client_port=${ports.rtp}-${ports.rtcp}`;
  const set = await player.ask('SETUP', url, { Transport: transport });
  t.notMatch(set.headers.get('transport'), /destination/);
  await player.ask('PLAY', url, { Session: set.headers.get('session') ?? '' });
  frames.publish(await picture(4));
  const [got] = await player.pictures(1);
  t.ok(pixels(asJpeg(got as RtpPicture)).equals(pixels((await picture(4)).jpeg)));
});

t.test('RTSP requests come in any pieces', (t) => {
  const text = Buffer.from(
    'SETUP rtsp://h/c RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP;unicast;client_port=5000-5001\r\n\r\n$\x01\x00\x04abcdPLAY rtsp://h/c RTSP/1.0\r\nCSeq: 2\r\nContent-Length: 3\r\n\r\nxyz',
    'latin1',
  );
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      const reader = new RtspReader();
      const methods: string[] = [];
      for (let at = 0, i = 0; at < text.length; i++) {
        const size = sizes[i % sizes.length] as number;
        methods.push(...reader.push(text.subarray(at, at + size)).map(({ method }) => method));
        at += size;
      }
      return methods.join() === 'SETUP,PLAY' && reader.interleaved === 1;
    }),
  );
  t.strictSame(readTransport('RTP/AVP;multicast,RTP/AVP/TCP;interleaved=2-3'), {
    kind: 'interleaved',
    rtp: 2,
    rtcp: 3,
  });
  t.strictSame(readTransport('RTP/AVP;unicast;client_port=5000-5001'), {
    kind: 'udp',
    rtp: 5000,
    rtcp: 5001,
  });
  t.equal(readTransport('RTP/AVP/TCP;interleaved=300-301'), null);
  t.end();
});

t.test('MJPEG: parts with their numbers, one picture, a page, refusals', async (t) => {
  const { frames, mjpeg } = await serveCamera(t);
  const at = `http://127.0.0.1:${mjpeg.port}`;
  t.equal((await fetch(`${at}/snapshot.jpg`)).status, 503);
  frames.publish(first);
  const snapshot = await fetch(`${at}/snapshot.jpg`);
  t.equal(snapshot.headers.get('x-frame'), '0');
  t.ok(Buffer.from(await snapshot.arrayBuffer()).equals(first.jpeg));
  const stream = await fetch(`${at}/stream.mjpeg`);
  t.match(stream.headers.get('content-type'), /multipart\/x-mixed-replace; boundary=drivemcp-frame/);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const second = await picture(1);
  frames.publish(second);
  let held = Buffer.alloc(0);
  while (!held.includes(second.jpeg)) held = Buffer.concat([held, (await reader.read()).value as Uint8Array]);
  t.ok(held.includes(first.jpeg), 'the newest at once, then each');
  t.match(
    held.toString('latin1'),
    /--drivemcp-frame\r\nContent-Type: image\/jpeg\r\nContent-Length: \d+\r\nX-Frame: 1\r\nX-World-Time-S: 7.100000\r\nX-Simulated-Time-S: 0.100000\r\nX-Received-Wall-S: 1700000000.000001\r\nX-Ready-Wall-S: 1700000000.001001\r\nX-Sent-Wall-S: 1700000000.500000\r\n\r\n/,
  );
  await reader.cancel();
  t.match(await (await fetch(at)).text(), /stream.mjpeg/);
  for (const path of ['/../etc/passwd', '/snapshot.jpg/', '//', '//[', 'http://[', '/%2e%2e/%00']) {
    const [answer] = await once(request({ port: mjpeg.port, path }).end(), 'response');
    t.equal(answer.resume().statusCode, 404, path);
  }
  t.equal((await fetch(at, { method: 'POST' })).status, 405);
  const [answer] = await once(
    request({ port: mjpeg.port, headers: { Host: 'evil.example' } }).end(),
    'response',
  );
  t.equal(answer.statusCode, 403, 'a name that somebody pointed here');
});

const noBrowser = browserMissing();
t.test('the page in a browser shows pictures as they come', { skip: noBrowser ?? false }, async (t) => {
  const { frames, mjpeg } = await serveCamera(t);
  frames.publish(first);
  let n = 0;
  const timer = setInterval(() => frames.publish({ ...first, frame: ++n }), 20);
  t.teardown(() => clearInterval(timer));
  const browser = await openBrowser(`http://127.0.0.1:${mjpeg.port}/`);
  t.teardown(() => browser.close());
  await browser.until(`document.querySelector('img').naturalWidth === ${widthPx}`);
  const sent = mjpeg.counters()['sent'] as number;
  while ((mjpeg.counters()['sent'] as number) < sent + 5)
    await new Promise((resolve) => setImmediate(resolve));
  // The picture is drawn where it can be read back: the page's own origin.
  const pixel = await browser.evaluate(`(() => {
    const [canvas, image] = [document.createElement('canvas'), document.querySelector('img')];
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(120, 40, 1, 1).data].slice(0, 3);
  })()`);
  // Red, green, blue as encoded.
  const wanted = [40, 80, 120];
  t.ok(
    (pixel as number[]).every((value, i) => Math.abs(value - (wanted[i] as number)) < 16),
    String(pixel),
  );
  t.same(
    browser.complaints.filter((text) => !text.includes('favicon')),
    [],
  );
});

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
t.test(
  'ffmpeg reads all three with the token',
  { skip: hasFfmpeg ? false : 'ffmpeg is not installed' },
  async (t) => {
    const { frames, mjpeg, rtsp } = await serveCamera(t, { token: 'sesame' });
    const pictures = await Promise.all(Array.from({ length: 16 }, (_, n) => picture(n)));
    frames.publish(first);
    let n = 0;
    const timer = setInterval(
      () => frames.publish({ ...(pictures[++n % 16] as CameraFrame), tUs: n * 40_000 }),
      40,
    );
    t.teardown(() => clearInterval(timer));
    for (const input of [
      ['-rtsp_transport', 'tcp', '-i', `rtsp://viewer:sesame@127.0.0.1:${rtsp.port}/camera`],
      ['-rtsp_transport', 'udp', '-i', `rtsp://viewer:sesame@127.0.0.1:${rtsp.port}/camera`],
      [
        '-headers',
        'Authorization: Bearer sesame\r\n',
        '-f',
        'mpjpeg',
        '-i',
        `http://127.0.0.1:${mjpeg.port}/stream.mjpeg`,
      ],
    ]) {
      const child = spawn('ffmpeg', [
        '-v',
        'error',
        ...input,
        '-frames:v',
        '5',
        '-f',
        'rawvideo',
        '-pix_fmt',
        'rgb24',
        '-',
      ]);
      const chunks: Buffer[] = [];
      let problems = '';
      child.stdout.on('data', (chunk) => chunks.push(chunk));
      child.stderr.on('data', (chunk) => {
        problems += chunk;
      });
      await once(child, 'close');
      t.equal(Buffer.concat(chunks).length, 5 * 3 * widthPx * heightPx, `${input.join(' ')} ${problems}`);
    }
  },
);
