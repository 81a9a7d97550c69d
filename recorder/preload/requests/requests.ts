import { subscribe } from 'node:diagnostics_channel';
import { requestsSuffix } from '../../../protocol/recording.ts';
import { now } from '../host/clock.ts';
import { type Exchange, trackExchanges } from './exchanges.ts';
import { watchFrameworks } from './framework-routes.ts';
import { attempt, host, internal, isObject } from '../host/host.ts';
import { openLineLog } from '../host/line-log.ts';
import { numberRoutes } from './number-routes.ts';
import type { Output } from '../host/output.ts';
import { patternOf } from './route.ts';
import type { Run } from '../host/run.ts';
import type { RequestLine } from '../../../protocol/recording-lines.ts';

/**
 * Notes when the HTTP servers of this thread began and ended which request: method and route, nothing else of it. One
 * that is never answered is not noted, nor is what becomes something else (a WebSocket). By Node's channels, which are
 * silent where nobody asks; those of HTTP/2 are not there in early releases. Returns what writes the rest.
 */
export function watchRequests(run: Run, output: Output, own: (work: () => void) => void): () => void {
  const log = openLineLog(`${run.isolate}${requestsSuffix}`, output, own, textOf);
  const routes = numberRoutes(log.add);
  const exchanges = trackExchanges();
  const frameworks = watchFrameworks(exchanges.name);
  const state = { count: 0 };
  const routeOf = ({ of, pattern, method, url }: Exchange): number => {
    const name = pattern === '' ? patternOf(of) : pattern;
    return name === '' ? routes.ofPath(method, url) : routes.ofPattern(method, name);
  };
  const end = (connection: object, of: object): void => {
    const exchange = exchanges.end(connection, of);
    if (exchange === undefined || state.count >= mostRequests) return;
    state.count += 1;
    log.add(['request', routeOf(exchange), exchange.since, exchange.start, now()]);
  };
  listen('http.server.request.start', isOfHttp1, ({ request, socket, server }) => {
    // Read before a framework gives it another prototype: after that V8 finds its properties anew in each request.
    if (exchanges.begin(socket, request, text(request.method), text(request.url))) frameworks.meet(server);
  });
  listen('http.server.response.finish', isOfHttp1, ({ request, socket }) => end(socket, request));
  listen('http2.server.stream.created', isOfHttp2, (message) => {
    const { stream } = message;
    const [method, url] = askedBy(message);
    const isPushed = Number(internal(stream, 'id')) % 2 === 0;
    if (isPushed || method === 'CONNECT' || !exchanges.begin(stream.session, stream, method, url)) return;
    frameworks.meet(serverOf(stream.session) ?? frameworks);
  });
  listen('http2.server.stream.close', isOfHttp2, ({ stream }) => {
    const isWhole = internal(stream, 'aborted') === false && internal(stream, 'rstCode') === 0;
    if (isWhole && internal(stream, 'headersSent') === true) end(stream.session, stream);
    else exchanges.giveUp(stream.session, stream);
  });
  return log.flush;
}

// All of this runs for each request. Properties are read as such: `Reflect.get` is ten times as dear.

interface Asked {
  readonly method?: unknown;
  readonly url?: unknown;
}

function isOfHttp1(
  message: unknown,
): message is { readonly request: Asked; readonly socket: object; readonly server: object } {
  if (!isObject(message) || !('request' in message) || !('socket' in message) || !('server' in message)) return false;
  return isObject(message.request) && isObject(message.socket) && isObject(message.server);
}

function isOfHttp2(message: unknown): message is { readonly stream: object & { readonly session: object } } {
  if (!isObject(message) || !('stream' in message) || !isObject(message.stream)) return false;
  return 'session' in message.stream && isObject(message.stream.session);
}

function askedBy(message: object): readonly [method: string, url: string] {
  const headers = internal(message, 'headers');
  const [method, url] = isObject(headers) ? [internal(headers, ':method'), internal(headers, ':path')] : [];
  return [text(method), text(url)];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function serverOf(session: object): object | undefined {
  const socket = internal(session, 'socket');
  const server = isObject(socket) ? internal(socket, 'server') : undefined;
  return isObject(server) ? server : undefined;
}

function textOf(line: RequestLine): string {
  if (line[0] === 'route') return host.toJson(line);
  const [, route, since, start, end] = line;
  return `["request",${route},${digitsOf(since)},${digitsOf(start)},${digitsOf(end)}]`;
}

/** Digits of whole µs. V8 writes numbers over 2³¹ twenty times as slowly as two small ones. */
function digitsOf(us: number): string {
  if (us < 1e6) return String(us);
  const seconds = Math.floor(us / 1e6);
  return `${seconds}${String(1e6 + us - 1e6 * seconds).slice(1)}`;
}

function listen<Message>(
  channel: string,
  isKnown: (message: unknown) => message is Message,
  hear: (message: Message) => void,
): void {
  subscribe(channel, (message) => attempt(() => isKnown(message) && hear(message)));
}

/** Some 20 MB; later ones are not noted. */
const mostRequests = 400_000;
