import { randomInt, randomUUID } from 'node:crypto';

/** What autocannon can send. Of HEAD it would wait for the body. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

export interface PlannedRequest {
  /** As the request file calls it; null where it does not. */
  readonly name: string | null;
  readonly method: Method;
  /** Absolute, `http:` or `https:`. Placeholders in it, in values of headers and in the body are filled in at each sending. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** How requests are sent: by connections that send the next request after an answer, or at a constant rate. */
export interface LoadShape {
  readonly connections: number;
  /** In requests per second over all connections; null: as many as are answered. */
  readonly rate: number | null;
  /** Number of requests over all connections; null: as many as there are in `durationS`. */
  readonly amount: number | null;
  /** In seconds; null where `amount` says when to end. */
  readonly durationS: number | null;
  /** In seconds. The same requests are sent before, and are in no figure. */
  readonly warmUpS: number;
}

/** Requests that are sent to one server in turn. Each connection begins with another one. */
export interface RequestPlan extends LoadShape {
  /** At least one; all have the same origin. */
  readonly requests: readonly PlannedRequest[];
}

/** The name of a request, else its method and path: `GET /orders`. */
export function titleOf({ name, method, url }: Pick<PlannedRequest, 'name' | 'method' | 'url'>): string {
  return name ?? `${method} ${pathOf(url)}`;
}

/** The path of an absolute url, without its query. */
function pathOf(url: string): string {
  const [, path = ''] = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url) ?? [];
  return path === '' ? '/' : path;
}

const placeholder = /\{\{\s*\$([\w.]+)\s*([^{}]*?)\s*\}\}/g;

/** Whether requests differ from each other at each sending. */
export function isDynamic({ url, headers, body }: PlannedRequest): boolean {
  return [url, body ?? '', ...Object.values(headers)].some((text) => fillIn(text) !== text);
}

/** The request with a new value for each placeholder that is known. */
export function filledIn(request: PlannedRequest): PlannedRequest {
  const { url, headers, body } = request;
  return {
    ...request,
    url: fillIn(url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillIn(value)])),
    body: body === null ? null : fillIn(body),
  };
}

function fillIn(text: string, encode = (value: string): string => value): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(placeholder, (whole, name: string, words: string) => {
    const value = valueOf(name, words.split(/\s+/));
    return value === null ? whole : encode(value);
  });
}

/** A new value of a dynamic variable of VS Code's REST Client or of JetBrains' HTTP client; null where there is no such. */
function valueOf(name: string, words: readonly string[]): string | null {
  const unit = units[words[1] ?? 's'] ?? 0;
  switch (name) {
    case 'guid':
    case 'uuid':
    case 'random.uuid':
      return randomUUID();
    case 'timestamp':
      return String(Math.floor(Date.now() / 1000) + Math.round(Number(words[0] ?? 0) * unit));
    case 'isoTimestamp':
      return new Date().toISOString();
    case 'randomInt':
      return integerIn(words[0] ?? '', words[1] ?? '');
    default:
      return null;
  }
}

/** Seconds of the units of `$timestamp -1 d`. */
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** An integer from `min` to below `max`; from 0 to 1000 where they are missing. */
function integerIn(min: string, max: string): string | null {
  const [least, limit] = [min === '' ? 0 : Number(min), max === '' ? 1000 : Number(max)];
  const isRange = Number.isSafeInteger(least) && Number.isSafeInteger(limit) && limit > least;
  return isRange && limit - least < 2 ** 48 ? String(randomInt(least, limit)) : null;
}
