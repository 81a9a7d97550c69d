import { subscribe } from 'node:diagnostics_channel';
import module from 'node:module';
import { attempt, internal, isFunction, isObject } from '../host/host.ts';
import { textOf, withoutIds } from './routes.ts';

/** Patterns of routes that frameworks have found requests by. */
export interface Frameworks {
  /** Must be called before the first request of a connection is handled: by then its framework is loaded. */
  readonly meet: (server: object) => void;
}

/**
 * `name` is told the pattern of what goes on. fastify 5 has a channel for it. koa and fastify 4 are heard where
 * `require` has loaded them. express tells by the request itself (`patternOf` in routes.ts).
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

/** `request`: Node's. Empty patterns are none. */
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

/** Its routers say by `ctx._matchedRoute` what they have found. */
function hearKoa(note: Note): void {
  for (const context of required(/[/\\]koa[/\\]lib[/\\]context\.js$/)) {
    onOwnProperty(context, '_matchedRoute', (self, path) => {
      const request = internal(self, 'req');
      if (isObject(request) && typeof path === 'string') note(request, `${mountOf(self, request)}${path}`);
    });
  }
}

/** The path at which koa-mount has mounted the handler of the request, and which it cuts off the request's url. */
function mountOf(context: object, request: object): string {
  const [original, rest] = [textOf(context, 'originalUrl'), textOf(request, 'url')];
  return original.endsWith(rest) ? withoutIds(original.slice(0, original.length - rest.length)) : '';
}

/** It makes an object of its own for each request, with its route, and then gives it Node's. */
function hearFastify4(note: Note): void {
  for (const Request of required(/[/\\]lib[/\\]request\.js$/)) {
    const prototype = internal(Request, 'prototype');
    if (!isObject(prototype) || !Object.hasOwn(prototype, 'routeOptions')) continue;
    // Version 5 has done away with it.
    if (!Object.hasOwn(prototype, 'routerPath')) continue;
    onOwnProperty(prototype, 'raw', (self, raw) => {
      const route = internal(self, 'routeOptions');
      if (isObject(route)) note(raw, textOf(route, 'url'));
    });
  }
}

/** What modules in such files export. */
function required(file: RegExp): readonly object[] {
  const cache = internal(module, '_cache');
  if (!isObject(cache)) return [];
  return Object.keys(cache).flatMap((name) => {
    const loaded = file.test(name) ? internal(cache, name) : undefined;
    const exported = isObject(loaded) ? internal(loaded, 'exports') : undefined;
    return isObject(exported) || isFunction(exported) ? [exported] : [];
  });
}

/** Calls `see` when an object with this prototype is given the property as its own, which it gets as it ever did. */
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
