/** The line to an adapter: a serial port or TCP. Text in, text out, and a word when it is gone. */
import { createConnection } from 'node:net';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';

export interface AdapterLine {
  readonly name: string;
  write(text: string): void;
  close(): void;
}

export interface AdapterLineListener {
  onText(text: string): void;
  /** the line is gone: unplugged, connection closed */
  onGone(why: string): void;
}

const connectMs = 5_000;
/** what ELM327 chips on USB come with; --elm PORT@BAUD for others */
const defaultBaud = 38_400;
const baudRates = [9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 500_000, 1_000_000, 2_000_000];

/**
 * @param where `/dev/ttyUSB0`, `/dev/ttyUSB0@115200`, `tcp://HOST:PORT`
 * @throws DriveMcpError USAGE, CAN_UNAVAILABLE
 */
export function openAdapterLine(where: string, listener: AdapterLineListener): Promise<AdapterLine> {
  const tcp = /^tcp:\/\/(\[[0-9A-Fa-f:.]+\]|[^:/[\]]+):(\d{1,5})$/.exec(where);
  if (tcp) {
    const port = Number(tcp[2]);
    if (port < 1 || port > 65_535) throw wrongPlace(where);
    return openTcp(where, tcp[1]!.replace(/^\[|\]$/g, ''), port, listener);
  }
  const [path = '', baud] = where.split('@');
  if (!path.startsWith('/')) throw wrongPlace(where);
  const baudRate = baud === undefined ? defaultBaud : Number(baud);
  if (!baudRates.includes(baudRate)) {
    throw new DriveMcpError('USAGE', `--elm: ${baud} is no baud rate`, {
      hint: `one of ${baudRates.join(', ')}`,
    });
  }
  return openSerial(path, baudRate, listener);
}

function wrongPlace(where: string): DriveMcpError {
  return new DriveMcpError('USAGE', `--elm takes a device or an address, got '${where}'`, {
    hint: '/dev/ttyUSB0, /dev/ttyUSB0@115200 or tcp://192.168.0.10:35000',
  });
}

function unavailable(name: string, cause: unknown, hint: string): DriveMcpError {
  return new DriveMcpError('CAN_UNAVAILABLE', `no adapter at ${name}: ${causeText(cause)}`, { cause, hint });
}

function openTcp(
  name: string,
  host: string,
  port: number,
  listener: AdapterLineListener,
): Promise<AdapterLine> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port, noDelay: true });
    const tooLong = setTimeout(
      () => socket.destroy(new Error(`no connection within ${connectMs / 1000} s`)),
      connectMs,
    );
    let isOpen = false;
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      clearTimeout(tooLong);
      isOpen = true;
      resolve({ name, write: (text) => socket.write(text, 'latin1'), close: () => socket.destroy() });
    });
    socket.on('data', (text: string) => listener.onText(text));
    socket.on('error', (cause) => {
      clearTimeout(tooLong);
      if (!isOpen)
        reject(
          unavailable(
            name,
            cause,
            'is the phone app of the adapter closed, and this machine in its network?',
          ),
        );
    });
    socket.on('close', () => {
      if (isOpen) listener.onGone('the adapter closed the connection');
    });
  });
}

async function openSerial(
  path: string,
  baudRate: number,
  listener: AdapterLineListener,
): Promise<AdapterLine> {
  const { SerialPort } = await import('serialport');
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  let isClosed = false;
  port.on('data', (bytes: Buffer) => listener.onText(bytes.toString('latin1')));
  port.on('error', (cause: Error) => listener.onGone(causeText(cause)));
  port.on('close', () => {
    if (!isClosed) listener.onGone('the adapter is gone');
  });
  await new Promise<void>((resolve, reject) =>
    port.open((cause) => {
      if (cause === null || cause === undefined) resolve();
      else reject(unavailable(path, cause, 'ls -l the device; the group dialout may open serial ports'));
    }),
  );
  return {
    name: path,
    write: (text) => {
      port.write(text, 'latin1');
    },
    close: () => {
      isClosed = true;
      port.close(() => {});
    },
  };
}
