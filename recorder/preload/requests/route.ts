import { redactText } from '../../command-lines/redact.ts';
import { internal } from '../host/host.ts';

/** What express adds to a request. */
interface Routed {
  readonly baseUrl?: unknown;
  readonly route?: { readonly path?: unknown } | null;
}

/** The pattern of the route that express found a request by. Empty where there is none. */
export function patternOf(request: Routed): string {
  const path = request.route?.path;
  if (typeof path !== 'string') return '';
  const base = request.baseUrl;
  return typeof base === 'string' && base !== '' ? `${withoutIds(base)}${path}` : path;
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
    part.length > 40 ||
    (part.length >= leastToken && redactText(part) !== part)
  );
}

/** No shorter part is looked at twice: express tells its base with each request. */
const leastToken = 12;

/** Empty where it is none. */
export function textOf(request: object, name: string): string {
  const value = internal(request, name);
  return typeof value === 'string' ? value : '';
}

export const longestPath = 200;
