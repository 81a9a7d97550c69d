import { attempt, call, host, internal, isFunction, isObject, listen, now, pathIn } from '../host/host.ts';
import type { Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import type { ListeningServer, ServerProtocol } from '../../../protocol/recording-lines.ts';

/**
 * Reports where servers of this thread listen, and when each one stops. A worker of a cluster reports the address that its
 * primary owns. Nothing is called that the program could have replaced, and no listener is added. Node has the channel
 * since 20.16 and 22.3.
 */
export function watchListening({ isolate }: Run, output: Output): void {
  const state = { count: 0 };
  const report = (server: object): void => {
    const address = addressOf(server);
    const handle = internal(server, '_handle');
    if (address === null || !isObject(handle) || state.count >= MAX_SERVERS) return;
    const number = state.count;
    state.count += 1;
    output.event({ type: 'listens', isolate, at: now(), server: number, protocol: protocolOf(server), ...address });
    beforeClose(handle, () => output.event({ type: 'closes', isolate, at: now(), server: number }));
  };
  listen('tracing:net.server.listen:asyncEnd', (message) => {
    const server = pathIn(message, 'server');
    if (isObject(server)) report(server);
  });
}

/** Test suites open a server for each request: the first ones are enough to say where an app listens. */
const MAX_SERVERS = 100;

/** Null where it listens at something else, such as an inherited file descriptor of an unknown kind. */
function addressOf(server: object): Pick<ListeningServer, 'host' | 'port' | 'path'> | null {
  const address = call(host.serverAddress, server, []);
  if (typeof address === 'string') return { host: '', port: -1, path: address };
  const [name, port] = [pathIn(address, 'address'), pathIn(address, 'port')];
  return typeof name === 'string' && typeof port === 'number' ? { host: name, port, path: '' } : null;
}

/** By what only the servers of each module of Node have: loading these modules would cost the other programs time. */
function protocolOf(server: object): ServerProtocol {
  if ('updateSettings' in server) return 'http2';
  if (!('httpAllowHalfOpen' in server)) return 'other';
  return 'setSecureContext' in server ? 'https' : 'http';
}

/** Calls `work` before a handle is closed. The handle is Node's own: a listener on the server could be seen. */
function beforeClose(handle: object, work: () => void): void {
  const close = internal(handle, 'close');
  if (!isFunction(close)) return;
  Reflect.defineProperty(handle, 'close', {
    configurable: true,
    enumerable: Object.hasOwn(handle, 'close'),
    writable: true,
    value(this: unknown, ...args: unknown[]): unknown {
      attempt(work);
      return Reflect.apply(close, this, args);
    },
  });
}
