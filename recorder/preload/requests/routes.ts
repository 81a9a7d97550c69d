import { type RequestLine, mostSiblings } from '../../../protocol/recording-lines.ts';
import { redactText } from '../../command-lines/redact.ts';
import {
  asText,
  attempt,
  host,
  internal,
  isFunction,
  isObject,
  listen,
  onLeaving,
  pathIn,
  textIn,
} from '../host/host.ts';

/** Numbers for routes in the log; −1 where there are too many routes. */
export interface RouteNumbers {
  /** The number of a pattern that a framework has set. */
  readonly ofPattern: (method: string, pattern: string) => number;
  /** The number of a path, of which parts become `*` that look like an id, or are among very many in their place. */
  readonly ofPath: (method: string, url: string) => number;
}

/** `add` logs the route of a new number. */
export function numberRoutes(add: (line: RequestLine) => void): RouteNumbers {
  const state = { count: 0, asked: 0 };
  const nameOf = groupPaths();
  const numberOf = (by: 'pattern' | 'path', method: string, path: string): number => {
    if (state.count >= MAX_ROUTES) return -1;
    add(['route', state.count, method.slice(0, 20), path.slice(0, MAX_PATH), by]);
    state.count += 1;
    return state.count - 1;
  };
  // Method and name are separate keys: joining them into one text costs more than all the rest.
  const patterns = new Map<string, Map<string, number>>();
  const paths = new Map<string, Map<string, number>>();
  /** By the requested path: looking for ids takes as long as everything else that is done for a request. */
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
      return state.asked > MAX_ASKED || path.length > MAX_PATH ? number : remembered(asked, method, path, () => number);
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
      const name = isNew && (known.size >= mostSiblings || state.parts >= MAX_PARTS) ? '*' : part;
      if (isNew && name === part) state.parts += 1;
      known.add(name);
      place += `/${name}`;
      return name;
    });
    return named.join('/');
  };
}

const MAX_ASKED = 1_000;
/** Requests of further routes have no route. */
const MAX_ROUTES = 500;
/** Limits the memory for paths that cannot be grouped. */
const MAX_PARTS = 2_000;
const MAX_PATH = 200;

/** The pattern of the route that express chose for a request; empty where there is none. */
export function patternOf(request: {
  readonly baseUrl?: unknown;
  readonly route?: { readonly path?: unknown } | null;
}): string {
  const path = request.route?.path;
  if (typeof path !== 'string') return '';
  const base = request.baseUrl;
  return typeof base === 'string' && base !== '' ? `${withoutIds(base)}${path}` : path;
}

/** `/users/17?x=1` becomes `/users/*`; only the path is left of an absolute url. */
export function withoutIds(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, '');
  return path
    .slice(0, MAX_PATH)
    .split('/')
    .map((part) => (isId(part) ? '*' : part))
    .join('/');
}

/** Whether a part looks like an id: a number, UUID, hash, random key, something encoded, or longer than a word. */
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
    (part.length >= MIN_TOKEN && redactText(part) !== part)
  );
}

/** Shorter parts are not searched for tokens: this runs with each request of express. */
const MIN_TOKEN = 12;

/**
 * Calls `name` with the pattern of an open request. fastify 5 has a channel for this. koa and fastify 4 are watched
 * where `require` has loaded them. express sets the pattern on the request itself (`patternOf`). Call the returned
 * function with the server before the first request of a connection is handled: by then its framework is loaded.
 */
export function watchFrameworks(
  name: (connection: object, of: object, pattern: string) => void,
): (server: object) => void {
  const note: Note = (request, pattern) => {
    if (!isObject(request) || pattern === '') return;
    const stream = 'stream' in request ? request.stream : undefined;
    const of = isObject(stream) ? stream : request;
    const connection = isObject(stream)
      ? internal(stream, 'session')
      : 'socket' in request
        ? request.socket
        : undefined;
    if (isObject(connection)) name(connection, of, pattern);
  };
  hearFastify5(note);
  const met = new WeakSet<object>();
  return (server) => {
    if (met.has(server)) return;
    met.add(server);
    hearKoa(note);
    hearFastify4(note);
  };
}

/** `request` is Node's object. An empty pattern is ignored. */
type Note = (request: unknown, pattern: string) => void;

function hearFastify5(note: Note): void {
  listen('tracing:fastify.request.handler:start', (message) => {
    if (!isObject(message) || !('request' in message) || !('route' in message)) return;
    const { request, route } = message;
    if (!isObject(request) || !('raw' in request) || !isObject(route) || !('url' in route)) return;
    note(request.raw, asText(route.url));
  });
}

/** The routers of koa set `ctx._matchedRoute`. */
function hearKoa(note: Note): void {
  for (const context of required(/[/\\]koa[/\\]lib[/\\]context\.js$/)) {
    onOwnProperty(context, '_matchedRoute', (self, path) => {
      const request = internal(self, 'req');
      if (isObject(request) && typeof path === 'string') note(request, `${mountOf(self, request)}${path}`);
    });
  }
}

/** The path at which koa-mount has mounted the handler, and which it cuts off the request's url. */
function mountOf(context: object, request: object): string {
  const [original, rest] = [textIn(context, 'originalUrl'), textIn(request, 'url')];
  return original.endsWith(rest) ? withoutIds(original.slice(0, original.length - rest.length)) : '';
}

/** fastify 4 makes an object of its own for each request with its route, and then sets Node's request on it. */
function hearFastify4(note: Note): void {
  for (const Request of required(/[/\\]lib[/\\]request\.js$/)) {
    const prototype = internal(Request, 'prototype');
    if (!isObject(prototype) || !Object.hasOwn(prototype, 'routeOptions')) continue;
    // Only version 4 has this property.
    if (!Object.hasOwn(prototype, 'routerPath')) continue;
    onOwnProperty(prototype, 'raw', (self, raw) => {
      note(raw, textIn(self, 'routeOptions', 'url'));
    });
  }
}

/** The exports of loaded modules whose file matches. */
function required(file: RegExp): readonly object[] {
  const modules = host.modules();
  return Object.keys(modules).flatMap((name) => {
    const exported = file.test(name) ? pathIn(modules, name, 'exports') : undefined;
    return isObject(exported) || isFunction(exported) ? [exported] : [];
  });
}

/** Calls `see` when an object with this prototype gets the property as its own. */
function onOwnProperty(prototype: object, name: string, see: (self: object, value: unknown) => void): void {
  if (Reflect.has(prototype, name)) return;
  onLeaving(() => Reflect.deleteProperty(prototype, name));
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value });
      if (this !== prototype) attempt(() => see(this, value));
    },
  });
}
