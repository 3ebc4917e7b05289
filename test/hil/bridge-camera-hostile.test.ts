/** Viewers of the bridge's camera that are wrong, slow, silent, many or without the token. */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { ViewerAccess } from '../../hil/bridge/camera/viewer-access.js';
import { first, picture, serveCamera } from './camera-pictures.js';
import { PictureJoin, RtspPlayer, udpPorts } from './rtsp-player.js';

const token = 'correct-horse-battery-staple';
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const tcp = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' };

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

function dial(port: number, text = ''): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  if (text !== '') socket.write(text);
  return socket;
}

t.test('the token: bearer, as password, as Digest; nothing else', (t) => {
  const access = new ViewerAccess(token);
  const context = { nonce: 'abc', method: 'DESCRIBE', url: 'rtsp://h/camera' };
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const digest = (change: { realm?: string; nonce?: string; uri?: string; secret?: string } = {}): string => {
    const { realm = 'camera', nonce = 'abc', uri = 'rtsp://h/camera', secret = token } = change;
    const response = md5(`${md5(`me:${realm}:${secret}`)}:${nonce}:${md5(`DESCRIBE:${uri}`)}`);
    return `Digest username="me", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`;
  };
  t.ok(access.allows(`Bearer ${token}`));
  t.ok(access.allows(basic(`me:${token}`)));
  t.ok(access.allows(digest(), context));
  t.notOk(access.allows(digest()), 'HTTP offers no Digest');
  const wrong = [{ realm: 'x' }, { nonce: 'abd' }, { uri: 'rtsp://h/other' }, { secret: `${token}.` }];
  for (const change of wrong) t.notOk(access.allows(digest(change), context), JSON.stringify(change));
  t.notOk(access.allows(digest(), { ...context, method: 'PLAY' }), 'an answer to another request');
  for (const text of [
    undefined,
    '',
    'Bearer',
    'Bearer x',
    `Basic ${token}`,
    basic(token.slice(1)),
    'Digest',
    token,
  ])
    t.notOk(access.allows(text, context), text ?? 'none');
  t.ok(new ViewerAccess(null).allows(undefined));
  t.end();
});

t.test('RTSP without the token, or at another path: nothing but methods is told', async (t) => {
  const { frames, rtsp } = await serveCamera(t, { token });
  frames.publish(first);
  const player = await RtspPlayer.open(rtsp.port);
  const url = 'rtsp://127.0.0.1/camera';
  t.equal((await player.ask('OPTIONS', '*')).status, 200);
  for (const method of ['DESCRIBE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN', 'GET_PARAMETER', 'RECORD'])
    t.equal((await player.ask(method, url)).status, 401, method);
  t.match((await player.ask('DESCRIBE', url)).headers.get('www-authenticate'), /^Basic|Digest/);
  t.equal((await player.ask('DESCRIBE', url, { Authorization: basic('viewer:wrong') })).status, 401);
  const Authorization = basic(`viewer:${token}`);
  t.equal((await player.ask('DESCRIBE', url, { Authorization })).status, 200);
  for (const other of [
    'rtsp://127.0.0.1/',
    'rtsp://h/camera/../..',
    'rtsp://h//camera',
    'file:///camera',
    '/camera',
    '*',
  ])
    t.equal((await player.ask('DESCRIBE', other, { Authorization })).status, 404, other);
});

t.test('RTSP: what is no RTSP ends its connection, and what comes behind it is not kept', async (t) => {
  const { rtsp } = await serveCamera(t);
  for (const bytes of [
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'x'.repeat(20_000),
    `OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nX: ${'x'.repeat(9000)}\r\n\r\n`,
    'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 999999999\r\n\r\n',
    'OPTIONS * RTSP/1.0\r\n\r\n',
    '\r\n\r\n',
  ]) {
    const socket = dial(rtsp.port, bytes);
    const [answer] = await once(socket, 'data');
    t.match(String(answer), /^RTSP\/1.0 400/);
    await once(socket, 'close');
  }
  t.match(rtsp.counters(), { refused: 6, players: 0 });
});

t.test('RTSP: connections that set up nothing make room for new ones, and are cut off', async (t) => {
  const { frames, rtsp } = await serveCamera(t);
  frames.publish(first);
  const url = 'rtsp://127.0.0.1/camera';
  const player = await RtspPlayer.open(rtsp.port);
  t.equal((await player.ask('SETUP', url, tcp)).status, 200);
  const crowd = Array.from({ length: 200 }, () => dial(rtsp.port));
  t.teardown(() => crowd.map((socket) => socket.destroy()));
  await until(() => rtsp.counters()['cut'] === 137);
  t.equal((await player.ask('GET_PARAMETER', url)).status, 200, 'who was there before is served');
  const late = await RtspPlayer.open(rtsp.port);
  t.equal((await late.ask('DESCRIBE', url)).status, 200, 'and who comes behind the crowd');
});

t.test('RTSP: half requests and idle connections are cut off', async (t) => {
  const { rtsp } = await serveCamera(t, { rtsp: { setUpMs: 40 } });
  const half = dial(rtsp.port, 'OPTIONS * RTSP/1.0\r\nCSe');
  const interleaved = dial(rtsp.port, '$\x01\xff\xff');
  await Promise.all([once(half, 'close'), once(interleaved, 'close')]);
  t.match(rtsp.counters(), { cut: 2 });
});

t.test('RTSP: a bounded number of players', async (t) => {
  const { frames, rtsp } = await serveCamera(t);
  frames.publish(first);
  const url = 'rtsp://127.0.0.1/camera';
  const players = await Promise.all(Array.from({ length: 17 }, () => RtspPlayer.open(rtsp.port)));
  const statuses: number[] = [];
  for (const player of players) statuses.push((await player.ask('SETUP', url, tcp)).status);
  t.same(statuses, [...Array(16).fill(200), 453]);
  await players[0]?.ask('TEARDOWN', url);
  t.equal((await players[16]?.ask('SETUP', url, tcp))?.status, 200);
});

t.test('RTSP: who asks and does not read the answers is not read either', async (t) => {
  const { rtsp } = await serveCamera(t);
  const socket = dial(rtsp.port);
  socket.pause();
  const many = 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n'.repeat(2000);
  // What the kernel takes on both sides is finite: then nothing more goes out.
  let isTaken = true;
  for (let sent = 0; isTaken; sent++) {
    isTaken = await Promise.race([
      new Promise<boolean>((resolve) => socket.write(many, () => resolve(true))),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 300)),
    ]);
    if (sent > 2000) throw new Error('everything is read');
  }
  t.equal((await (await RtspPlayer.open(rtsp.port)).ask('OPTIONS', '*')).status, 200);
  socket.destroy();
});

t.test('RTSP: a player that does not read misses pictures, and only it', async (t) => {
  const { frames, rtsp } = await serveCamera(t);
  frames.publish(first);
  const url = 'rtsp://127.0.0.1/camera';
  const [slow, quick] = [await RtspPlayer.open(rtsp.port), await RtspPlayer.open(rtsp.port)];
  for (const player of [slow, quick]) {
    await player.ask('SETUP', url, tcp);
    await player.ask('PLAY', url);
  }
  slow.socket.pause();
  let published = 0;
  while ((rtsp.counters()['skipped'] as number) < 5) {
    frames.publish({ ...first, tUs: ++published * 1000 });
    await quick.pictures(published);
  }
  t.equal(quick.join.pictures.length, published);
  t.equal(quick.join.gaps, 0);
});

t.test('RTSP: a picture that RTP cannot carry is counted; nobody ends over it', async (t) => {
  const { frames, rtsp } = await serveCamera(t);
  frames.publish(first);
  const player = await RtspPlayer.open(rtsp.port);
  const url = 'rtsp://127.0.0.1/camera';
  await player.ask('SETUP', url, tcp);
  await player.ask('PLAY', url);
  frames.publish({ ...first, jpeg: Buffer.from('GIF89a') });
  frames.publish(await picture(1));
  await player.pictures(1);
  t.match(rtsp.counters(), { unfit: 1, sent: 1 });
});

t.test('RTSP: over UDP a silent player is cut off, and one that reports is not', async (t) => {
  const { frames, rtsp } = await serveCamera(t, { rtsp: { idleMs: 1000 } });
  frames.publish(first);
  const url = 'rtsp://127.0.0.1/camera';
  const [silent, alive] = [await RtspPlayer.open(rtsp.port), await RtspPlayer.open(rtsp.port)];
  const ports = [await udpPorts(new PictureJoin()), await udpPorts(alive.join)] as const;
  t.teardown(() => ports.map((pair) => pair.close()));
  let serverRtcp = 0;
  for (const [i, player] of [silent, alive].entries()) {
    const pair = ports[i as 0 | 1];
    const set = await player.ask('SETUP', url, {
      Transport: `RTP/AVP;unicast;client_port=${pair.rtp}-${pair.rtcp}`,
    });
    serverRtcp = Number(/server_port=\d+-(\d+)/.exec(set.headers.get('transport') ?? '')?.[1]);
    await player.ask('PLAY', url);
  }
  const stranger = createSocket('udp4');
  t.teardown(() => stranger.close());
  const reports = setInterval(() => {
    ports[1].report(serverRtcp);
    stranger.send(Buffer.alloc(8), serverRtcp, '127.0.0.1');
  }, 20);
  t.teardown(() => clearInterval(reports));
  await once(silent.socket, 'close');
  t.equal(rtsp.counters()['cut'], 1);
  // Twice the time after which silence ends a session.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  t.equal((await alive.ask('GET_PARAMETER', url)).status, 200);
});

t.test('MJPEG: half requests, long heads and silence are cut off', async (t) => {
  const { mjpeg, frames } = await serveCamera(t, { bounds: { requestMs: 50, cutAfterMs: 200 } });
  frames.publish(first);
  const half = dial(mjpeg.port, 'GET / HTTP/1.1\r\nHos');
  const silent = dial(mjpeg.port);
  const long = dial(mjpeg.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  for (const socket of [half, silent, long]) socket.resume();
  await Promise.all([half, silent, long].map((socket) => once(socket, 'close')));
  // A stream is no silence, though nothing is published meanwhile.
  const viewer = dial(mjpeg.port, 'GET /stream.mjpeg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await once(viewer, 'data');
  await new Promise((resolve) => setTimeout(resolve, 600));
  t.match(mjpeg.counters(), { viewers: 1 });
  viewer.destroy();
});

t.test('MJPEG: a flood of connections is refused and counted; viewers are bounded', async (t) => {
  const { mjpeg, frames } = await serveCamera(t);
  frames.publish(first);
  const ask = 'GET /stream.mjpeg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const viewers = Array.from({ length: 20 }, () => dial(mjpeg.port, ask));
  const answers = await Promise.all(viewers.map(async (socket) => String((await once(socket, 'data'))[0])));
  t.equal(answers.filter((text) => text.startsWith('HTTP/1.1 200')).length, 16);
  t.equal(answers.filter((text) => text.startsWith('HTTP/1.1 503')).length, 4);
  const flood = Array.from({ length: 300 }, () => dial(mjpeg.port));
  await until(() => (mjpeg.counters()['refused'] as number) >= 4 + 300 - 64);
  for (const socket of [...viewers, ...flood]) socket.destroy();
  await until(() => mjpeg.counters()['viewers'] === 0);
});

t.test('MJPEG: a viewer that does not read misses pictures, and only it', async (t) => {
  const { frames, mjpeg } = await serveCamera(t);
  frames.publish(first);
  const slow = connect(mjpeg.port, '127.0.0.1');
  slow.write('GET /stream.mjpeg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await once(slow, 'data');
  slow.pause();
  const big = { ...first, jpeg: Buffer.alloc(4 * 1024 * 1024) };
  while ((mjpeg.counters()['skipped'] as number) < 3) {
    frames.publish(big);
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.ok((await fetch(`http://127.0.0.1:${mjpeg.port}/snapshot.jpg`)).ok);
  slow.destroy();
  while (frames.readers > 0) await new Promise((resolve) => setImmediate(resolve));
  t.match(mjpeg.counters(), { viewers: 0 });
});

t.test('MJPEG: the token, as bearer or as password', async (t) => {
  const { frames, mjpeg } = await serveCamera(t, { token: 'sesame' });
  frames.publish(first);
  const ask = async (authorization: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${mjpeg.port}/snapshot.jpg`, { headers: { authorization } })).status;
  t.equal(await ask('Bearer sesame'), 200);
  t.equal(await ask(`Basic ${Buffer.from('x:sesame').toString('base64')}`), 200);
  for (const wrong of [
    '',
    'Bearer Sesame',
    'Basic sesame',
    'Digest sesame',
    `Basic ${Buffer.from('sesame:').toString('base64')}`,
  ])
    t.equal(await ask(wrong), 401, wrong);
});
