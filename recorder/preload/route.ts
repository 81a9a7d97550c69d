import { internal, isObject } from './host.ts';

/** The pattern of the route that express found a request by. Empty where there is none. */
export function patternOf(request: object): string {
  if (!('route' in request) || !isObject(request.route) || !('path' in request.route)) return '';
  const { path } = request.route;
  const base = 'baseUrl' in request && typeof request.baseUrl === 'string' ? request.baseUrl : '';
  return typeof path === 'string' ? (base === '' ? path : `${withoutIds(base)}${path}`) : '';
}

export function methodOf(request: object): string {
  return 'method' in request && typeof request.method === 'string' ? request.method : '';
}

/** `/users/17?x=1` becomes `/users/*`; of an absolute url only the path is left. */
export function withoutIds(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, '');
  return path
    .slice(0, longestPath)
    .split('/')
    .map((part) => (isId(part) ? '*' : part))
    .join('/');
}

/** A number, a UUID, a hash, a random key (nanoid, ULID, a token), something encoded, or too long for a word. */
function isId(part: string): boolean {
  if (part === '') return false;
  return (
    /^[\d.,_-]+$/.test(part) ||
    /[%@=+]/.test(part) ||
    /^[\da-f-]{8,}$/i.test(part) ||
    /\d{4}/.test(part) ||
    /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{10,}$/.test(part) ||
    /^(?=.*\d)[^\W_]{16,}$/.test(part) ||
    part.length > 40
  );
}

/** Express cuts off what a router was mounted at, and keeps the whole. */
export function urlOf(request: object): string {
  if ('originalUrl' in request && typeof request.originalUrl === 'string') return request.originalUrl;
  return 'url' in request && typeof request.url === 'string' ? request.url : '';
}

/** Empty where it is none. */
export function textOf(request: object, name: string): string {
  const value = internal(request, name);
  return typeof value === 'string' ? value : '';
}

export const longestPath = 200;
