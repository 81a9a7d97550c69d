import { requestsSuffix } from '../../../protocol/recording.ts';
import {
  asText,
  host,
  internal,
  isObject,
  listen,
  now,
  pathIn,
  textIn,
  attempt,
  call,
  isFunction,
} from '../host/host.ts';
import { watchFrameworks, numberRoutes, patternOf } from './routes.ts';
import { type LineOutput, openLineLog, type Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import type { RequestLine, ListeningServer, ServerProtocol } from '../../../protocol/recording-lines.ts';

/**
 * Notes when the HTTP servers of this thread began and ended each request, with its method and route and nothing else.
 * Requests that are never answered, or become a WebSocket, are not noted. Early releases of Node have no diagnostics
 * channels for HTTP/2. Returns a function that writes the rest.
 */
export function watchRequests(
  { isolate }: Pick<Run, 'isolate'>,
  output: LineOutput,
  own: (work: () => void) => void,
): () => void {
  const log = openLineLog(`${isolate}${requestsSuffix}`, output, own, textOf);
  const routes = numberRoutes(log.add);
  const exchanges = trackExchanges();
  const state = { count: 0 };
  const routeOf = ({ of, pattern, method, url }: Exchange): number => {
    const name = pattern === '' ? patternOf(of) : pattern;
    return name === '' ? routes.ofPath(method, url) : routes.ofPattern(method, name);
  };
  const end = (connection: object, of: object): void => {
    const exchange = exchanges.end(connection, of);
    if (exchange === undefined || state.count >= MAX_REQUESTS) return;
    state.count += 1;
    log.add(['request', routeOf(exchange), exchange.since, exchange.start, now()]);
  };
  listenToServers(exchanges, watchFrameworks(exchanges.name), end);
  return log.flush;
}

/** `end`: an answer is complete. `watchFramework` is called with the server before the first request of a connection. */
function listenToServers(
  exchanges: ReturnType<typeof trackExchanges>,
  watchFramework: (server: object) => void,
  end: (connection: object, of: object) => void,
): void {
  listen('http.server.request.start', (message) => {
    if (!isOfHttp1(message)) return;
    const { request, socket, server } = message;
    // Read before a framework changes the prototype of the request, which makes V8's reads of its properties slow.
    if (exchanges.begin(socket, request, asText(request.method), asText(request.url))) watchFramework(server);
  });
  listen('http.server.response.finish', (message) => {
    if (isOfHttp1(message)) end(message.socket, message.request);
  });
  listen('http2.server.stream.created', (message) => {
    if (!isOfHttp2(message)) return;
    const { stream } = message;
    const [method, url] = [textIn(message, 'headers', ':method'), textIn(message, 'headers', ':path')];
    const isPushed = Number(internal(stream, 'id')) % 2 === 0;
    if (isPushed || method === 'CONNECT' || !exchanges.begin(stream.session, stream, method, url)) return;
    const server = pathIn(stream.session, 'socket', 'server');
    watchFramework(isObject(server) ? server : watchFramework);
  });
  listen('http2.server.stream.close', (message) => {
    if (!isOfHttp2(message)) return;
    const { stream } = message;
    const isWhole = internal(stream, 'aborted') === false && internal(stream, 'rstCode') === 0;
    if (isWhole && internal(stream, 'headersSent') === true) end(stream.session, stream);
    else exchanges.giveUp(stream.session, stream);
  });
}

interface OfHttp1 {
  readonly request: { readonly method?: unknown; readonly url?: unknown };
  readonly socket: object;
  readonly server: object;
}

/** This runs for each request. Properties are read directly, because `Reflect.get` costs ten times as much. */
function isOfHttp1(message: unknown): message is OfHttp1 {
  if (!isObject(message) || !('request' in message) || !('socket' in message) || !('server' in message)) return false;
  return isObject(message.request) && isObject(message.socket) && isObject(message.server);
}

function isOfHttp2(message: unknown): message is { readonly stream: object & { readonly session: object } } {
  if (!isObject(message) || !('stream' in message) || !isObject(message.stream)) return false;
  return 'session' in message.stream && isObject(message.stream.session);
}

function textOf(line: RequestLine): string {
  if (line[0] === 'route') return host.toJson(line);
  const [, route, since, start, end] = line;
  return `["request",${route},${digitsOf(since)},${digitsOf(start)},${digitsOf(end)}]`;
}

/** The digits of a time in whole µs. V8 writes numbers above 2³¹ twenty times as slowly as two small ones. */
function digitsOf(us: number): string {
  if (us < 1e6) return String(us);
  const seconds = Math.floor(us / 1e6);
  return `${seconds}${String(1e6 + us - 1e6 * seconds).slice(1)}`;
}

/** Some 20 MB; later requests are not noted. */
const MAX_REQUESTS = 400_000;

/** A request of HTTP/1 or a stream of HTTP/2, from the moment when it was read. Times in µs. */
interface Exchange {
  readonly of: object;
  readonly start: number;
  /** When the last answer on the same connection ended; −1 for its first request. */
  readonly since: number;
  /** The pattern of its route from its framework; empty where none has set it. */
  pattern: string;
  readonly method: string;
  /** The requested url: some frameworks cut that of the request. */
  readonly url: string;
}

/**
 * Keeps the open requests by connection, a socket or a session of HTTP/2: a weak map of requests would cost more, since
 * each request would be added and removed. Requests that are never answered are dropped with their connection.
 */
function trackExchanges() {
  const connections = new WeakMap<object, Connection>();
  return {
    /** Returns whether it is the connection's first. */
    begin: (connection: object, of: object, method: string, url: string): boolean => {
      const known = connections.get(connection);
      const exchange = { of, start: now(), since: known?.answered ?? -1, pattern: '', method, url };
      if (known === undefined) connections.set(connection, { answered: -1, open: [exchange] });
      else known.open.push(exchange);
      return known === undefined;
    },
    name: (connection: object, of: object, pattern: string): void => {
      const exchange = connections.get(connection)?.open.find((one) => one.of === of);
      if (exchange !== undefined) exchange.pattern = pattern;
    },
    /** Undefined where the beginning was not seen. */
    end: (connection: object, of: object): Exchange | undefined => {
      const known = connections.get(connection);
      if (known === undefined) return undefined;
      known.answered = now();
      return takeOut(known, of);
    },
    giveUp: (connection: object, of: object): void => {
      const known = connections.get(connection);
      if (known !== undefined) takeOut(known, of);
    },
  };
}

/** `answered` is the time of the last answer, −1 before the first; `open` exchanges are in their order. */
interface Connection {
  answered: number;
  readonly open: Exchange[];
}

/** Removes an exchange, which is nearly always the only one. */
function takeOut({ open }: Connection, of: object): Exchange | undefined {
  if (open.at(-1)?.of === of) return open.pop();
  const index = open.findIndex((exchange) => exchange.of === of);
  return index < 0 ? undefined : open.splice(index, 1)[0];
}

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
