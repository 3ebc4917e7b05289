/** Opens the interfaces of a live run and puts the locks on: listen-only verified, sending made impossible. */
import {
  type CanRxModule,
  type HostModule,
  loadCanRx,
  loadHost,
  type NativeProfileTable,
} from '../../../native/index.js';
import { listenOnlyAdvice, listenOnlyRefusal } from '../../core/can/listen-only.js';
import { DriveMcpError } from '../../core/errors.js';
import { CanInterface } from './can-interface.js';
import type { CanPort } from './can-port.js';
import { hearLinks, LinkWatch } from './link-watch.js';
import { NativePort } from './native-port.js';
import { SocketcanPort } from './socketcan-port.js';

export interface CanOptions {
  readonly names: readonly string[];
  readonly driver: 'native' | 'socketcan';
  /** refuse interfaces whose controller could acknowledge or send */
  readonly requireListenOnly: boolean;
  /** pairs of identifier and mask for the kernel; left out = every frame */
  readonly filters?: Uint32Array;
  /** driver native: what is received is decoded into this table, bus by the place of the name */
  readonly decodeInto?: NativeProfileTable;
}

export interface OpenedInterfaces {
  readonly host: HostModule;
  readonly links: LinkWatch;
  readonly interfaces: readonly CanInterface[];
  readonly notices: readonly string[];
}

/** Descriptors of CAN sockets live from here on (native/can_rx/transport.h). */
export const reservedDescriptor = 900;

/** Longest wait for the kernel's list of links; it answers within a system call. */
const linkRounds = 50;

/** @throws DriveMcpError CAN_UNAVAILABLE, CAN_NOT_LISTEN_ONLY, USAGE */
export function openInterfaces(options: CanOptions): OpenedInterfaces {
  const { names, driver, requireListenOnly } = options;
  if (driver === 'socketcan' && requireListenOnly) {
    throw new DriveMcpError(
      'CAN_NOT_LISTEN_ONLY',
      'the driver socketcan can send, and listen-only is required',
      {
        hint: 'use --can-driver native, whose code has no way to send',
      },
    );
  }
  for (const name of names) {
    if (/^[A-Za-z0-9_.-]{1,15}$/.test(name)) continue;
    throw new DriveMcpError('USAGE', `'${name}' is no name of an interface`, { hint: '--can can0,can1' });
  }
  const host = required(loadHost());
  const links = watchLinks(host);
  const interfaces: CanInterface[] = [];
  try {
    for (const [bus, name] of names.entries())
      interfaces.push(new CanInterface(openPort(options, name, bus), 0));
    for (let round = 0; round < linkRounds && interfaces.some((one) => one.family === null); round++)
      hearLinks(links, interfaces, 0);
    if (requireListenOnly) for (const one of interfaces) checkListenOnly(one);
  } catch (error) {
    for (const one of interfaces) one.port.close();
    links.close();
    throw error;
  }
  return { host, links, interfaces, notices: noticesOf(interfaces, driver) };
}

/**
 * From here on no thread of this process can send on a CAN socket or open another one. Irrevocable.
 * @returns a sentence for people: what is in force
 */
export function lockOut(host: HostModule): string {
  const errno = host.denyWrites(reservedDescriptor);
  if (errno === 0) return 'no thread of this process can write to a CAN socket or open another one (seccomp)';
  return `the kernel refuses the sandbox (errno ${errno}); that nothing is sent rests on the receive module alone`;
}

/** @throws DriveMcpError CAN_UNAVAILABLE where it is not built */
export function receiveModule(): CanRxModule {
  return required(loadCanRx());
}

function required<T>(loaded: { readonly module: T } | { readonly module: null; readonly reason: string }): T {
  if (loaded.module !== null) return loaded.module;
  throw new DriveMcpError('CAN_UNAVAILABLE', (loaded as { readonly reason: string }).reason, {
    hint: 'run scripts/prepare where g++ and Node headers are installed',
  });
}

function watchLinks(host: HostModule): LinkWatch {
  try {
    return new LinkWatch(host);
  } catch (cause) {
    throw new DriveMcpError('CAN_UNAVAILABLE', (cause as Error).message, { cause });
  }
}

function openPort(options: CanOptions, name: string, bus: number): CanPort {
  const { driver, filters, decodeInto } = options;
  if (driver === 'socketcan') return new SocketcanPort(name);
  return new NativePort(receiveModule(), name, {
    ...(filters ? { filters } : {}),
    ...(decodeInto ? { decodeInto: { table: decodeInto, bus } } : {}),
  });
}

function checkListenOnly({ port, listenOnly, family }: CanInterface): void {
  const why = listenOnlyRefusal(listenOnly, family);
  if (why === null) return;
  throw new DriveMcpError('CAN_NOT_LISTEN_ONLY', `${port.name} ${why}`, {
    hint: listenOnlyAdvice.replaceAll('NAME', port.name),
  });
}

function noticesOf(interfaces: readonly CanInterface[], driver: CanOptions['driver']): string[] {
  const notices: string[] = [];
  if (driver === 'socketcan')
    notices.push('driver socketcan: the proof that nothing can be sent does not hold with it');
  for (const { family, life, listenOnly, port } of interfaces) {
    if (life.state === 'absent')
      notices.push(`${port.name} is not there yet; it is used as soon as it appears`);
    if (listenOnly === 'off') {
      notices.push(`${port.name} is not in listen-only mode: its controller acknowledges frames on the bus`);
    }
    if (listenOnly === 'untold') notices.push(`${port.name} ${listenOnlyRefusal(listenOnly, family)}`);
  }
  return notices;
}
