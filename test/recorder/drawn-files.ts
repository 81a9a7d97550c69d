import path from 'node:path';
import { onSystem } from '../helpers/drawn-root.ts';
import type { Readers } from '../../recorder/launch/packages/readers.ts';

/** Files in memory, by absolute path; an object stands for its JSON. */
export function drawnFiles(
  files: Readonly<Record<string, string | object>>,
  nodeVersion: string | null = 'v20.20.2',
): Readers {
  const texts = new Map(
    Object.entries(files).map(([file, content]) => [
      onSystem(file),
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  return {
    readText: (file) => Promise.resolve(texts.get(file) ?? null),
    list: (folder) => {
      const inside = [...texts.keys()].filter((file) => file.startsWith(folder + path.sep));
      const names = inside.map((file) => file.slice(folder.length + 1).replace(/[/\\].*/, '/'));
      return Promise.resolve([...new Set(names)]);
    },
    nodeVersion: () => Promise.resolve(nodeVersion),
  };
}

/** A package.json with these scripts. */
export function scripts(list: Readonly<Record<string, string>>, rest: object = {}): object {
  return { scripts: list, ...rest };
}

/** An installed dependency. */
export function installed(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`/repo/node_modules/${name}/package.json`, '{}']));
}
