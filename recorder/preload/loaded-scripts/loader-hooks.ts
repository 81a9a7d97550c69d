import module from 'node:module';
import { call, host, replace } from '../host/host.ts';

const state = { isRegistered: false };

/** Notes that the program compiles ES modules in a way of its own, as soon as it says so. */
export function watchLoaderHooks(): void {
  for (const name of ['register', 'registerHooks']) {
    replace(
      module,
      name,
      (original) =>
        function (...args) {
          state.isRegistered = true;
          return call(original, this, args);
        },
    );
  }
}

/** The program, or a file that it was told to load first, may compile ES modules in a way of its own. */
export function hasHooks(): boolean {
  return (
    state.isRegistered || [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => flags.test(text))
  );
}

const flags = /(^|\s)--(import|loader|experimental-loader)(=|\s|$)/;

const extensionsAtStart: unknown[] = Object.values(host.extensions);

/** Something (ts-node, Babel, esbuild-register) compiles CommonJS modules in its own way. */
export function hasLoaders(): boolean {
  const extensions: unknown[] = Object.values(host.extensions);
  return extensions.length !== extensionsAtStart.length || extensions.some((load, i) => load !== extensionsAtStart[i]);
}
