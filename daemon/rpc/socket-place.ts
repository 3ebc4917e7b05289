/**
 * Where the signal service listens. The socket is made in a folder that only this user may enter, gets mode 0600 there and is
 * then renamed to its place: at no moment could anybody else connect, and what a killed daemon left behind is replaced.
 * Whoever calls holds the lock of the state directory, so that a socket in that place belongs to nobody.
 */
import { chmod, lstat, mkdtemp, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { signalSocketName } from './client/socket-name.js';

const birthPrefix = '.signals-';

export interface SocketPlace {
  readonly path: string;
  /** Removes the socket, unless another one is in its place by now. */
  clear(): Promise<void>;
  /** to be called when the server is closed */
  forget(): Promise<void>;
}

/** Makes `server` listen. Rejects with what is in the way, in words for people. */
export async function listenIn(server: Server, stateDir: string): Promise<SocketPlace> {
  const path = join(stateDir, signalSocketName);
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isSocket()) throw new Error(`${path} is there and is no socket`);
  for (const name of await readdir(stateDir)) {
    if (name.startsWith(birthPrefix)) await rm(join(stateDir, name), { recursive: true, force: true });
  }
  const birth = await mkdtemp(join(stateDir, birthPrefix));
  const born = join(birth, 's');
  // A socket's address holds 107 bytes. By its descriptor a folder has a short name, which must stay true until the
  // server is closed, because closing removes that name.
  const folder = await open(birth);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(`/proc/self/fd/${folder.fd}/s`, () => {
        server.off('error', reject);
        resolve();
      });
    });
    await chmod(born, 0o600);
    const { ino } = await lstat(born);
    await rename(born, path);
    return {
      path,
      forget: () => folder.close(),
      clear: async () => {
        const now = await lstat(path).catch(() => null);
        if (now?.ino === ino) await unlink(path).catch(() => undefined);
      },
    };
  } catch (error) {
    await folder.close();
    throw error;
  } finally {
    await rm(birth, { recursive: true, force: true });
  }
}
