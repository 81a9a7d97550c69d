import { networkInterfaces } from 'node:os';
import type { LoadShape } from '../../../protocol/recording.ts';

/** What autocannon can send. Of HEAD it would wait for the body. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** Each connection needs a port of its own. */
export const MAX_CONNECTIONS = 65_535;

/** Timers of Node.js count ms in 31 bits. */
export const MAX_DURATION_S = 2_147_483;

export interface PlannedRequest {
  /** As the request file calls it, with its number where others have the same title; null where it has none. */
  readonly name: string | null;
  readonly method: Method;
  /** Absolute, `http:` or `https:`. Placeholders in it, in values of headers and in the body are filled in at each sending. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The url to show and to keep, with `*` for values of the environment; default: `url`. */
  readonly shownUrl?: string;
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

/** The path of a url, without its query. */
function pathOf(url: string): string {
  const [, path = ''] = /^(?:\w+:\/\/[^/?#]*)?([^?#]*)/.exec(url) ?? [];
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
  if (/^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|\[::\])$/i.test(hostname)) return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
  return own.includes(hostname.replaceAll(/^\[|\]$/g, ''));
}

/** The origin of an absolute url; placeholders are behind it. */
export function originOf(url: string): string {
  return /^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}
