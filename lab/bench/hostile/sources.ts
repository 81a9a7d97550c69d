import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type HostileInput, nodeText, plainProfile, profileText, times, writePieces } from './hostile-input.ts';

/** What a file of the project can contain. */
export const sources: readonly HostileInput[] = [
  source('a line of 100 MB', () => ['a;'.repeat(5e7)]),
  source('a line of 2 MB', () => ['a;'.repeat(1e6)]),
  source('100 000 functions', () => times(1e5, (number) => `function f${number}(){}\n`)),
  source('100 000 functions in a line', () => times(1e5, (number) => `function f${number}(){}`)),
  source('4000 functions in one another', () => ['function f(){'.repeat(4000), '}'.repeat(4000)]),
  source('1 000 000 brackets', () => ['('.repeat(1e6), ')'.repeat(1e6)]),
  source('300 000 calls', () => times(3e5, (number) => `a${number}();`)),
  source('a chain of 100 000 calls', () => ['a', '.b()'.repeat(1e5)]),
  source('a sum of 200 000', () => ['a', '+1'.repeat(2e5)]),
  source('2 MB of blanks', () => [' '.repeat(2e6), 'x']),
  source('2 MB of the start of a comment', () => ['/*'.repeat(1e6)]),
  {
    name: 'a file of 100 000 functions, all at work',
    write: (folder) => {
      const file = fileIn(folder, () => times(1e5, (number) => `function f${number}(){}\n`));
      const ids = [...times(1e5, (number) => number + 2)].join(',');
      const url = `file://${file}`;
      const ticks = (line: number): string => `,"positionTicks":[{"line":${line + 1},"ticks":1}]`;
      const nodes = [
        nodeText({ id: 1, name: '(root)', url: '', line: -1, more: `,"children":[${ids}]` }),
        ...times(1e5, (line) => nodeText({ id: line + 2, name: `f${line}`, url, line, more: ticks(line) })),
      ];
      const profile = profileText(nodes, 1e5, (number) => 2 + number);
      return writePieces(path.join(folder, 'a.cpuprofile'), profile);
    },
  },
];

function source(name: string, text: () => Iterable<string>): HostileInput {
  return {
    name: `a file with ${name}`,
    write: (folder) => {
      const url = `file://${fileIn(folder, text)}`;
      return writePieces(path.join(folder, 'a.cpuprofile'), plainProfile(url));
    },
  };
}

/** Writes a `package.json` beside it, so that the folder is a project. */
function fileIn(folder: string, text: () => Iterable<string>): string {
  mkdirSync(path.join(folder, 'src'));
  writePieces(path.join(folder, 'package.json'), ['{}']);
  return writePieces(path.join(folder, 'src/a.js'), text());
}
