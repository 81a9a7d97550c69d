import { subscribe } from 'node:diagnostics_channel';
import { requestsSuffix } from '../../protocol/recording.ts';
import { now } from './clock.ts';
import { attempt, internal, isObject } from './host.ts';
import type { LineLog } from './line-log.ts';
import { openLineLog } from './line-log.ts';
import type { Output } from './output.ts';
import type { FrameworkRoutes } from './framework-routes.ts';
import { watchFrameworks } from './framework-routes.ts';
import { numberRoutes } from './number-routes.ts';
import { patternOf, textOf, urlOf } from './route.ts';
import type { Run } from './run.ts';

/**
 * Notes when the HTTP servers of this thread began and ended which request: method and route, nothing else of it. One
 * that is never answered is not noted, nor is what becomes something else (a WebSocket). By Node's channels, which
 * are silent where nobody asks. Returns what writes the rest.
 */
export function watchRequests(run: Run, output: Output, own: (work: () => void) => void): () => void {
  const log = openLineLog(`${run.isolate}${requestsSuffix}`, output, own);
  const exchanges = timeExchanges(log);
  const routes = numberRoutes((line) => log.add(JSON.stringify(line)));
  const frameworks = watchFrameworks();
  const numberOf = (method: string, pattern: string | undefined, url: string): number =>
    pattern === undefined ? routes.ofPath(method, url) : routes.ofPattern(method, pattern);
  listen('http.server.request.start', (message) => {
    frameworks.meet(internal(message, 'server'));
    exchanges.begin(objectIn(message, 'response'), objectIn(message, 'socket'));
  });
  listen('http.server.response.finish', (message) => {
    const request = objectIn(message, 'request');
    exchanges.end(objectIn(message, 'response'), objectIn(message, 'socket'), () => {
      const pattern = frameworks.patternOf(request) ?? patternOf(request);
      return numberOf(textOf(request, 'method'), pattern, urlOf(request));
    });
  });
  watchStreams(exchanges, frameworks, (stream, method, url) => numberOf(method, frameworks.patternOf(stream), url));
  return log.flush;
}

/** Requests of HTTP/2: each is a stream of a session. Early releases have no channels for them. */
function watchStreams(
  exchanges: Exchanges,
  frameworks: FrameworkRoutes,
  routeOf: (stream: object, method: string, url: string) => number,
): void {
  const open = new WeakMap<object, { readonly session: object; readonly method: string; readonly url: string }>();
  listen('http2.server.stream.created', (message) => {
    const [stream, headers] = [objectIn(message, 'stream'), objectIn(message, 'headers')];
    const [method, url] = [textOf(headers, ':method'), textOf(headers, ':path')];
    const isPushed = Number(internal(stream, 'id')) % 2 === 0;
    if (isPushed || method === 'CONNECT') return;
    const session = objectIn(stream, 'session');
    frameworks.meet(internal(objectIn(session, 'socket'), 'server'));
    open.set(stream, { session, method, url });
    exchanges.begin(stream, session);
  });
  listen('http2.server.stream.close', (message) => {
    const stream = objectIn(message, 'stream');
    const { session, method, url } = open.get(stream) ?? {};
    const wasCutOff = internal(stream, 'aborted') === true || internal(stream, 'rstCode') !== 0;
    if (session === undefined || method === undefined || url === undefined) return;
    if (wasCutOff || internal(stream, 'headersSent') !== true) return;
    exchanges.end(stream, session, () => routeOf(stream, method, url));
  });
}

interface Exchanges {
  /** `exchange`: what stands for a request and its answer. */
  readonly begin: (exchange: object, connection: object) => void;
  readonly end: (exchange: object, connection: object, routeOf: () => number) => void;
}

function timeExchanges(log: LineLog): Exchanges {
  const begun = new WeakMap<object, { readonly at: number; readonly since: number }>();
  /** When the connection had its last answer. */
  const answered = new WeakMap<object, number>();
  const state = { count: 0 };
  return {
    begin: (exchange, connection) => {
      begun.set(exchange, { at: now(), since: answered.get(connection) ?? -1 });
    },
    end: (exchange, connection, routeOf) => {
      const start = begun.get(exchange);
      const end = now();
      answered.set(connection, end);
      begun.delete(exchange);
      if (start === undefined || state.count >= mostRequests) return;
      state.count += 1;
      // Half as dear as JSON.stringify: nothing in it needs escaping.
      log.add(`["request",${routeOf()},${start.since},${start.at},${end}]`);
    },
  };
}

function listen(channel: string, hear: (message: object) => void): void {
  subscribe(channel, (message) => {
    if (isObject(message)) attempt(() => hear(message));
  });
}

/** A new one where it has none. */
function objectIn(target: object, name: string): object {
  const value = internal(target, name);
  return isObject(value) ? value : {};
}

/** Some 20 MB; later ones are not noted. */
const mostRequests = 400_000;
