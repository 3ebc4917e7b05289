/**
 * Where a local service listens. The socket is made in a folder that only this user may enter, gets mode 0600 there and is
 * then renamed to its place: at no moment could anybody else connect, and what a killed process left behind is replaced.
 */
import { chmod, type FileHandle, lstat, mkdtemp, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { basename, dirname, join, parse } from 'node:path';

export interface SocketPlace {
  readonly path: string;
  /** Removes the socket, unless another one is in its place by now. */
  clear(): Promise<void>;
  /** to be called when the server is closed */
  forget(): Promise<void>;
}

/**
 * Makes `server` listen at `path`. Whoever calls has made sure that a socket in that place belongs to nobody (a lock, or
 * `isAnswered`). Rejects with what is in the way, in words for people.
 */
export async function listenAt(
  server: Server,
  path: string,
  { isFolderOurs }: { /** what a killed process left in it is cleared */ readonly isFolderOurs: boolean },
): Promise<SocketPlace> {
  const parent = dirname(path);
  const birthPrefix = `.${parse(path).name}-`;
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isSocket()) throw new Error(`${path} is there and is no socket`);
  for (const name of isFolderOurs ? await readdir(parent) : []) {
    if (name.startsWith(birthPrefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
  const birth = await mkdtemp(join(parent, birthPrefix));
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

/** Whether somebody listens at a socket; what a killed process left behind is answered by nobody. */
export async function isAnswered(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isSocket()) return false;
  const { address, folder } = await shortAddress(path);
  const socket = connect(address);
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
    await folder?.close();
  }
}

/** A socket's address holds 107 bytes; a folder has a short name by its descriptor, as long as that is open. */
export async function shortAddress(
  path: string,
): Promise<{ readonly address: string; readonly folder: FileHandle | null }> {
  if (Buffer.byteLength(path) <= 107) return { address: path, folder: null };
  const folder = await open(dirname(path));
  return { address: `/proc/self/fd/${folder.fd}/${basename(path)}`, folder };
}
