import type { RequestLine } from '../../protocol/recording.ts';
import { mostSiblings } from '../../protocol/recording.ts';
import { longestPath, withoutIds } from './route.ts';

/** Numbers of routes in the log; −1 for those that are too many. */
export interface RouteNumbers {
  /** Named by a framework. */
  readonly ofPattern: (method: string, pattern: string) => number;
  /** Known by its path alone: what looks like an id, or is one of very many in its place, becomes `*`. */
  readonly ofPath: (method: string, url: string) => number;
}

/** `add` writes what a new number stands for. */
export function numberRoutes(add: (line: RequestLine) => void): RouteNumbers {
  const numbers = new Map<string, number>();
  const nameOf = groupPaths();
  /** By method and path as they came: to look for ids takes as long as all else that is done for a request. */
  const asked = new Map<string, number>();
  const numberOf = (method: string, path: string, by: 'pattern' | 'path'): number => {
    const key = `${by} ${method} ${path}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (numbers.size >= mostRoutes) return -1;
    numbers.set(key, numbers.size);
    add(['route', numbers.size - 1, method, path, by]);
    return numbers.size - 1;
  };
  return {
    ofPattern: (method, pattern) => numberOf(method.slice(0, longestMethod), pattern.slice(0, longestPath), 'pattern'),
    ofPath: (method, url) => {
      const [path = ''] = url.split('?', 1);
      const key = `${method} ${path}`;
      const known = asked.get(key);
      if (known !== undefined) return known;
      const number = numberOf(method.slice(0, longestMethod), nameOf(method, withoutIds(path)), 'path');
      if (asked.size < mostAsked && path.length <= longestPath) asked.set(key, number);
      return number;
    },
  };
}

/** Where `mostSiblings` different parts of paths were seen in one place, others there are `*`. */
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
/** Requests of more are of no route. */
const mostRoutes = 500;
/** Bounds the memory for paths that nobody can group. */
const mostParts = 2_000;
const longestMethod = 20;
