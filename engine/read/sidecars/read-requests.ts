import { isList, numberOf, textOf } from '../../../protocol/json-value.ts';
import { boundedText } from '../files/bounded-text.ts';
import type { LoggedRequest, RequestLog, Route } from '../samples/sample-stream.ts';
import { plausibleTime } from '../samples/times.ts';

/** Reads requests from the lines of a `.requests.jsonl`. */
export function readRequests(lines: readonly unknown[]): RequestLog {
  const routes = new Map<number, Route>();
  const requests: LoggedRequest[] = [];
  for (const line of lines) {
    if (!isList(line)) continue;
    const [kind, ...values] = line;
    if (kind === 'route') routes.set(numberOf(values[0], 0), routeOf(values));
    const request = {
      route: numberOf(values[0], -1),
      since: plausibleTime(values[1], -1),
      start: plausibleTime(values[2], -1),
      end: plausibleTime(values[3], -1),
    };
    if (kind === 'request' && request.start >= 0 && request.end >= request.start) requests.push(request);
  }
  return { routes, requests: requests.toSorted((a, b) => a.start - b.start) };
}

function routeOf([, method, path, by]: readonly unknown[]): Route {
  return {
    method: boundedText(textOf(method)),
    path: boundedText(textOf(path)),
    by: by === 'path' ? 'path' : 'pattern',
  };
}
