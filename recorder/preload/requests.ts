import diagnostics from 'node:diagnostics_channel';
import type { RequestLine } from '../../protocol/recording.ts';
import { requestsSuffix } from '../../protocol/recording.ts';
import { now } from './clock.ts';
import { attempt, internal, isObject } from './host.ts';
import { openLineLog } from './line-log.ts';
import type { Output } from './output.ts';
import { routeOf } from './route.ts';
import type { Run } from './run.ts';

/**
 * Notes when the HTTP servers of this thread began and ended which request: method and route, nothing else of it. One
 * that is never answered is not noted. By Node's own channels, which are silent where nobody asks. Returns what writes
 * the rest.
 */
export function watchRequests(run: Run, output: Output, own: (work: () => void) => void): () => void {
  const log = openLineLog(`${run.isolate}${requestsSuffix}`, output, own);
  const add = (line: RequestLine): void => log.add(JSON.stringify(line));
  const begun = new WeakMap<object, { readonly at: number; readonly since: number }>();
  /** When the connection had its last answer. */
  const answered = new WeakMap<object, number>();
  const routes = new Map<string, number>();
  const state = { count: 0 };
  const numberOf = (request: object): number => {
    const [method, path] = routeOf(request);
    const known = routes.get(`${method} ${path}`);
    if (known !== undefined) return known;
    if (routes.size >= mostRoutes) return -1;
    routes.set(`${method} ${path}`, routes.size);
    add(['route', routes.size - 1, method, path]);
    return routes.size - 1;
  };
  listen('http.server.request.start', ({ response, socket }) => {
    begun.set(response, { at: now(), since: answered.get(socket) ?? -1 });
  });
  listen('http.server.response.finish', ({ request, response, socket }) => {
    const start = begun.get(response);
    const end = now();
    answered.set(socket, end);
    begun.delete(response);
    if (start === undefined || state.count >= mostRequests) return;
    state.count += 1;
    add(['request', numberOf(request), start.since, start.at, end]);
  });
  return log.flush;
}

interface Message {
  readonly request: object;
  readonly response: object;
  readonly socket: object;
}

function listen(channel: string, hear: (message: Message) => void): void {
  diagnostics.subscribe(channel, (message) => {
    attempt(() => {
      if (!isObject(message)) return;
      const [request, response, socket] = ['request', 'response', 'socket'].map((name) => internal(message, name));
      if (isObject(request) && isObject(response) && isObject(socket)) hear({ request, response, socket });
    });
  });
}

/** Some 20 MB; later ones are not noted. */
const mostRequests = 400_000;
/** Requests of more are of no route. */
const mostRoutes = 500;
