import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../../test/helpers/project.ts';

/** A small function whose slow lines are marked in its fixture by `HOT`, with others around them that look like it. */
export interface Construct {
  /** As it is exported: `forOf`. No two have one name. */
  readonly name: string;
  /** The file that exports it: `loops.mjs`. */
  readonly group: string;
  /** The lines that may be marked: any of them is right. */
  readonly hot: readonly Place[];
}

export interface Place {
  /** In the project, with `/`: `parts/script.js`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The constructs, and whose lines are whose. */
export interface Constructs {
  readonly all: readonly Construct[];
  /** Name of the construct that a line belongs to; undefined for lines above the first of a file. */
  readonly ownerOf: (place: Place) => string | undefined;
}

const fixtures = projectFile('test/fixtures/constructs');

/** Files that are run, each in a process of its own. */
export const groups: readonly string[] = readdirSync(fixtures)
  .filter((name) => /\.(?:mjs|cjs|ts)$/.test(name))
  .toSorted();

/** A project with all fixtures, their packages in its `node_modules`. `folder` has to be there. */
export function writeProject(folder: string): void {
  cpSync(fixtures, folder, { recursive: true, filter: (from) => path.basename(from) !== 'packages' });
  cpSync(path.join(fixtures, 'packages'), path.join(folder, 'node_modules'), { recursive: true });
  mkdirSync(path.join(folder, 'out'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'constructs', private: true }));
}

/** What stands in the fixtures. `// construct NAME` begins the lines of one; it may have lines in several files. */
export function readConstructs(): Constructs {
  const owners = new Map<string, readonly (string | undefined)[]>();
  const hot = new Map<string, Place[]>();
  const groupOf = new Map<string, string>();
  const parts = readdirSync(path.join(fixtures, 'parts')).map((name) => `parts/${name}`);
  for (const file of [...groups, ...parts]) {
    let owner: string | undefined;
    const lines = readFileSync(path.join(fixtures, file), 'utf8').split('\n');
    const byLine = lines.map((text, index) => {
      const [, begun] = /^\/\/ construct (\w+)$/.exec(text) ?? [];
      if (begun !== undefined && groups.includes(file)) noteGroup(begun, file, groupOf);
      owner = begun ?? owner;
      if (owner !== undefined && isHot(text)) hot.set(owner, [...(hot.get(owner) ?? []), { file, line: index + 1 }]);
      return owner;
    });
    owners.set(file, byLine);
  }
  const all = [...groupOf].map(([name, group]) => ({ name, group, hot: hot.get(name) ?? [] }));
  const unmarked = all.filter((construct) => construct.hot.length === 0);
  if (unmarked.length > 0) throw new Error(`Nothing is HOT in ${unmarked.map(({ name }) => name).join(', ')}.`);
  return { all, ownerOf: ({ file, line }) => owners.get(file)?.[line - 1] };
}

function noteGroup(name: string, group: string, groupOf: Map<string, string>): void {
  if (groupOf.has(name)) throw new Error(`Two constructs have the name ${name}.`);
  groupOf.set(name, group);
}

function isHot(text: string): boolean {
  return /(?:\/\/|\/\*) HOT\b/.test(text);
}
