import type { Isolate } from '../samples/sample-stream.ts';

/**
 * What a process runs, for people: the name of a package (`vitest`), else of a script (`server.js`); null where that is
 * not known.
 */
export function programName({ command }: Pick<Isolate, 'command'>): string | null {
  if (command === null || command === '') return null;
  const path = command.replaceAll('\\', '/');
  const [, tool, name] = /.*\/node_modules\/(?:\.bin\/([^/]+)|((?:@[^/]+\/)?[^/]+))/.exec(path) ?? [];
  return tool ?? name ?? path.slice(path.lastIndexOf('/') + 1);
}
