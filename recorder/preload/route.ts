import { internal, isObject } from './host.ts';

/**
 * Method and pattern of a request's route: the one that it was found by (express), else its path with what looks like
 * an id cut out. Never its query.
 */
export function routeOf(request: object): readonly [method: string, path: string] {
  const method = String(internal(request, 'method')).slice(0, 20);
  const route = internal(request, 'route');
  const pattern = isObject(route) ? internal(route, 'path') : undefined;
  if (typeof pattern === 'string')
    return [method, `${withoutIds(textOf(request, 'baseUrl'))}${pattern}`.slice(0, longest)];
  return [method, withoutIds(urlOf(request)).slice(0, longest)];
}

/** `/users/17/cart?x=1` is `/users/:id/cart`. Of an absolute url only the path is left. */
export function withoutIds(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, '');
  return path
    .split('/')
    .map((part) => (isId(part) ? ':id' : part))
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
function urlOf(request: object): string {
  const original = textOf(request, 'originalUrl');
  return original === '' ? textOf(request, 'url') : original;
}

function textOf(request: object, name: string): string {
  const value = internal(request, name);
  return typeof value === 'string' ? value : '';
}

const longest = 200;
