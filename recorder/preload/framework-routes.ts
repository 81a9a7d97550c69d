import { subscribe } from 'node:diagnostics_channel';
import module from 'node:module';
import { attempt, internal, isFunction, isObject } from './host.ts';
import { textOf, withoutIds } from './route.ts';

/** Patterns of routes that frameworks have found requests by. */
export interface FrameworkRoutes {
  /** `exchange`: the request of HTTP/1, the stream of HTTP/2. Undefined where nobody has told. */
  readonly patternOf: (exchange: object) => string | undefined;
  /** To be called before this server's first request is handled: by then its framework is loaded. */
  readonly meet: (server: unknown) => void;
}

/**
 * fastify 5 has a channel for it. koa and fastify 4 are heard where `require` has loaded them. express tells by the
 * request itself (`patternOf` in route.ts).
 */
export function watchFrameworks(): FrameworkRoutes {
  const patterns = new WeakMap<object, string>();
  const note: Note = (request, pattern) => {
    if (!isObject(request) || pattern === '') return;
    const stream = internal(request, 'stream');
    patterns.set(isObject(stream) ? stream : request, pattern);
  };
  hearFastify5(note);
  const met = new WeakSet<object>();
  return {
    patternOf: (exchange) => patterns.get(exchange),
    meet: (server) => {
      if (!isObject(server) || met.has(server)) return;
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
      if (!isObject(message)) return;
      const [request, route] = [internal(message, 'request'), internal(message, 'route')];
      if (isObject(request) && isObject(route)) note(internal(request, 'raw'), textOf(route, 'url'));
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

/** Where koa-mount has mounted what handles the request: it cuts that off its url. */
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
