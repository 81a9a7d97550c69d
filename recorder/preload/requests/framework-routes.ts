import { subscribe } from 'node:diagnostics_channel';
import module from 'node:module';
import { attempt, internal, isFunction, isObject } from '../host/host.ts';
import { textOf, withoutIds } from './routes.ts';

/** Watches frameworks for the pattern of the route that they choose for each request. */
export interface Frameworks {
  /** Call it before the first request of a connection is handled: by then the framework is loaded. */
  readonly meet: (server: object) => void;
}

/**
 * Calls `name` with the pattern of an open request. fastify 5 has a channel for this. koa and fastify 4 are watched
 * where `require` has loaded them. express sets the pattern on the request itself (`patternOf` in routes.ts).
 */
export function watchFrameworks(name: (connection: object, of: object, pattern: string) => void): Frameworks {
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
  return {
    meet: (server) => {
      if (met.has(server)) return;
      met.add(server);
      hearKoa(note);
      hearFastify4(note);
    },
  };
}

/** `request` is Node's object. An empty pattern is ignored. */
type Note = (request: unknown, pattern: string) => void;

function hearFastify5(note: Note): void {
  subscribe('tracing:fastify.request.handler:start', (message) => {
    attempt(() => {
      if (!isObject(message) || !('request' in message) || !('route' in message)) return;
      const { request, route } = message;
      if (!isObject(request) || !('raw' in request) || !isObject(route) || !('url' in route)) return;
      if (typeof route.url === 'string') note(request.raw, route.url);
    });
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
  const [original, rest] = [textOf(context, 'originalUrl'), textOf(request, 'url')];
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
      const route = internal(self, 'routeOptions');
      if (isObject(route)) note(raw, textOf(route, 'url'));
    });
  }
}

/** The exports of loaded modules whose file matches. */
function required(file: RegExp): readonly object[] {
  const cache = internal(module, '_cache');
  if (!isObject(cache)) return [];
  return Object.keys(cache).flatMap((name) => {
    const loaded = file.test(name) ? internal(cache, name) : undefined;
    const exported = isObject(loaded) ? internal(loaded, 'exports') : undefined;
    return isObject(exported) || isFunction(exported) ? [exported] : [];
  });
}

/** Calls `see` when an object with this prototype gets the property as its own. The object gets it as it always did. */
function onOwnProperty(prototype: object, name: string, see: (self: object, value: unknown) => void): void {
  if (Reflect.has(prototype, name)) return;
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
