import { longestPath, withoutIds } from './route.ts';
import { type RequestLine, mostSiblings } from '../../../protocol/recording-lines.ts';

/** Numbers of routes in the log; −1 for those that are too many. */
export interface RouteNumbers {
  /** Named by a framework. */
  readonly ofPattern: (method: string, pattern: string) => number;
  /** Known by its path alone: what looks like an id, or is one of very many in its place, becomes `*`. */
  readonly ofPath: (method: string, url: string) => number;
}

/** `add` writes what a new number stands for. */
export function numberRoutes(add: (line: RequestLine) => void): RouteNumbers {
  const state = { count: 0, asked: 0 };
  const nameOf = groupPaths();
  const numberOf = (by: 'pattern' | 'path', method: string, path: string): number => {
    if (state.count >= mostRoutes) return -1;
    add(['route', state.count, method.slice(0, longestMethod), path.slice(0, longestPath), by]);
    state.count += 1;
    return state.count - 1;
  };
  // Method and name are separate keys: putting both into one text costs more than the rest of this.
  const patterns = new Map<string, Map<string, number>>();
  const paths = new Map<string, Map<string, number>>();
  /** Paths as they came: looking for ids takes as long as all else that is done for a request. */
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

/** Groups paths: where `mostSiblings` different parts were seen in one place, further parts there are `*`. */
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
