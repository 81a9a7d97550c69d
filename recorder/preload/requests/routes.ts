import { type RequestLine, mostSiblings } from '../../../protocol/recording-lines.ts';
import { redactText } from '../../command-lines/redact.ts';
import { internal } from '../host/host.ts';

/** Gives routes their numbers in the log; −1 where there are too many routes. */
export interface RouteNumbers {
  /** The number of a pattern that a framework has set. */
  readonly ofPattern: (method: string, pattern: string) => number;
  /**
   * The number of a route that is known only by its path: parts that look like an id, or that are among very many in
   * their place, become `*`.
   */
  readonly ofPath: (method: string, url: string) => number;
}

/** `add` writes to the log what a new number means. */
export function numberRoutes(add: (line: RequestLine) => void): RouteNumbers {
  const state = { count: 0, asked: 0 };
  const nameOf = groupPaths();
  const numberOf = (by: 'pattern' | 'path', method: string, path: string): number => {
    if (state.count >= mostRoutes) return -1;
    add(['route', state.count, method.slice(0, longestMethod), path.slice(0, longestPath), by]);
    state.count += 1;
    return state.count - 1;
  };
  // Method and name are separate keys, because joining them into one text costs more than all the rest.
  const patterns = new Map<string, Map<string, number>>();
  const paths = new Map<string, Map<string, number>>();
  /**
   * Numbers of paths as they were requested: looking for ids takes as long as everything else that is done for a
   * request.
   */
  const asked = new Map<string, Map<string, number>>();
  return {
    ofPattern: (method, pattern) => remembered(patterns, method, pattern, () => numberOf('pattern', method, pattern)),
    ofPath: (method, url) => {
      const [path = ''] = url.split('?', 1);
      const known = asked.get(method)?.get(path);
      if (known !== undefined) return known;
      const name = nameOf(method, withoutIds(path));
      const number = remembered(paths, method, name, () => numberOf('path', method, name));
      state.asked += 1;
      return state.asked > mostAsked || path.length > longestPath
        ? number
        : remembered(asked, method, path, () => number);
    },
  };
}

function remembered(
  numbers: Map<string, Map<string, number>>,
  method: string,
  name: string,
  make: () => number,
): number {
  const ofMethod = numbers.get(method) ?? new Map<string, number>();
  const known = ofMethod.get(name);
  if (known !== undefined) return known;
  const made = make();
  if (made >= 0) numbers.set(method, ofMethod.set(name, made));
  return made;
}

/** Groups paths: after `mostSiblings` different parts in one place, all further parts there become `*`. */
function groupPaths(): (method: string, path: string) => string {
  const siblings = new Map<string, Set<string>>();
  const state = { parts: 0 };
  return (method, path) => {
    let place = method;
    const named = path.split('/').map((part) => {
      const known = siblings.get(place) ?? new Set();
      siblings.set(place, known);
      const isNew = !known.has(part);
      const name = isNew && (known.size >= mostSiblings || state.parts >= mostParts) ? '*' : part;
      if (isNew && name === part) state.parts += 1;
      known.add(name);
      place += `/${name}`;
      return name;
    });
    return named.join('/');
  };
}

const mostAsked = 1_000;
/** Requests of further routes have no route. */
const mostRoutes = 500;
/** Limits the memory for paths that cannot be grouped. */
const mostParts = 2_000;
const longestMethod = 20;

/** The properties that express adds to a request. */
interface Routed {
  readonly baseUrl?: unknown;
  readonly route?: { readonly path?: unknown } | null;
}

/** The pattern of the route that express chose for a request; empty where there is none. */
export function patternOf(request: Routed): string {
  const path = request.route?.path;
  if (typeof path !== 'string') return '';
  const base = request.baseUrl;
  return typeof base === 'string' && base !== '' ? `${withoutIds(base)}${path}` : path;
}

/** `/users/17?x=1` becomes `/users/*`; only the path is left of an absolute url. */
export function withoutIds(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, '');
  return path
    .slice(0, longestPath)
    .split('/')
    .map((part) => (isId(part) ? '*' : part))
    .join('/');
}

/**
 * Whether a part looks like an id: a number, a UUID, a hash, a random key (nanoid, ULID, a token), something encoded,
 * or longer than a word.
 */
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

/** Shorter parts are not searched for tokens: this runs with each request of express. */
const leastToken = 12;

/** A property that is a text; empty where it is not. */
export function textOf(request: object, name: string): string {
  const value = internal(request, name);
  return typeof value === 'string' ? value : '';
}

const longestPath = 200;
