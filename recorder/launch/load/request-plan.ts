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
  /** The url to show and to keep, with `*` for values of the environment; default: `url`. */
  readonly shownUrl?: string;
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

/** A request that is not sent. `reason` continues a sentence: `needs the answer of "login"`. */
export interface LeftOut {
  /** Its name, else its method and path. */
  readonly title: string;
  readonly reason: string;
}

/** The name of a request, else its method and path: `GET /orders`. */
export function titleOf({ name, method, url, shownUrl }: Omit<PlannedRequest, 'headers' | 'body'>): string {
  return name ?? `${method} ${pathOf(shownUrl ?? url)}`;
}

/** The path of an absolute url, without its query. */
function pathOf(url: string): string {
  const [, path = ''] = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url) ?? [];
  return path === '' ? '/' : path;
}

/** Gives requests without an origin that of the server. */
export function withOrigin(requests: readonly PlannedRequest[], server: URL): readonly PlannedRequest[] {
  const whole = (url: string): string => (url.startsWith('/') ? server.origin + url : url);
  return requests.map((request) => ({
    ...request,
    url: whole(request.url),
    ...(request.shownUrl === undefined ? {} : { shownUrl: whole(request.shownUrl) }),
  }));
}

/** Sends requests to this server, whatever their origin was. */
export function atOrigin(requests: readonly PlannedRequest[], { origin }: URL): readonly PlannedRequest[] {
  const there = (url: string): string => origin + url.slice(url.startsWith('/') ? 0 : originOf(url).length);
  return requests.map((request) => ({
    ...request,
    url: there(request.url),
    ...(request.shownUrl === undefined ? {} : { shownUrl: there(request.shownUrl) }),
  }));
}

/** Whether a url, or the server of one that begins with `/`, is on this machine. */
export function isLocal(url: string): boolean {
  if (url.startsWith('/')) return true;
  const { hostname } = new URL(originOf(url));
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|\[::\])$/i.test(hostname);
}

/** The origin of an absolute url; placeholders are behind it. */
export function originOf(url: string): string {
  return /^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}
