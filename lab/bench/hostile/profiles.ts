import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type HostileInput,
  type NodeText,
  nodeText,
  plainProfile,
  profileText,
  root,
  times,
  writePieces,
} from './hostile-input.ts';

/** What a `.cpuprofile` can contain. */
export const profiles: readonly HostileInput[] = [
  flat('a name of 100 MB', 1, () => ({ name: 'f'.repeat(1e8) })),
  flat('a url of 100 MB', 1, () => ({ url: `file://${root}/${'u/'.repeat(5e7)}` })),
  flat('a name of 300 MB', 1, () => ({ name: 'f'.repeat(3e8) })),
  flat('1000 names of 1 MB', 1000, (number) => ({ name: `${'f'.repeat(1e6)}${number}` })),
  profile('a chain of 1 000 000 nodes, by children', () =>
    profileText(chain(1e6, 'children'), 3000, (number) => 1e6 - number),
  ),
  profile('a chain of 1 000 000 nodes, by parent', () =>
    profileText(chain(1e6, 'parent'), 3000, (number) => 1e6 - number),
  ),
  profile('a chain of 100 000 functions, samples anywhere', () =>
    profileText(chain(1e5, 'children', true), 2e5, (number) => 1 + ((number * 7919) % 1e5)),
  ),
  profile('two chains of 50 000 functions, in turn', () =>
    profileText(twoChains(5e4), 2e5, (number) => (number % 2 === 0 ? 5e4 : 1e5)),
  ),
  flat('500 000 functions under one', 5e5, (number) => ({ name: `f${number}`, line: number }), 2e6),
  flat('500 000 files', 5e5, (number) => ({ url: `file://${root}/${number}.js` }), 1e6),
  profile('1 000 000 operations', () =>
    profileText(withIdle(1000), 2e6, (number) => (number % 2 === 0 ? 1002 : 2 + (number % 1000))),
  ),
  profile('100 000 long operations of 20 000 functions', () => profileText(withIdle(2e4), 3e6, longTurns)),
  flat('20 000 000 samples', 1, () => ({}), 2e7),
  flat('1 000 000 lines of one function', 1, () => ({ more: ticksOf(1e6) }), 1e6),
  profile('130 MB of nodes that are none', () => manyOf('{"nodes":[', '{},', 43e6)),
  profile('100 000 000 brackets', () => manyOf('{"nodes":[', '[', 1e8)),
  profile('100 MB of white space', () => manyOf('', ' ', 1e8)),
  {
    name: '1 GB of spaces in gzip',
    write: (folder) => packed(path.join(folder, 'a.cpuprofile.gz'), Buffer.alloc(1e9, ' ')),
  },
  {
    name: '120 MB of nodes in gzip',
    write: (folder) => packed(path.join(folder, 'a.cpuprofile.gz'), Buffer.from(`{"nodes":[${'{},'.repeat(4e7)}`)),
  },
  {
    name: '10 000 profiles in a folder',
    write: (folder) => {
      const text = [...plainProfile()].join('');
      for (let number = 0; number < 10_000; number++)
        writeFileSync(path.join(folder, `CPU.20260101.000000.${number}.0.00${number}.cpuprofile`), text);
      return folder;
    },
  },
];

function profile(name: string, text: () => Iterable<string>): HostileInput {
  return { name, write: (folder) => writePieces(path.join(folder, 'a.cpuprofile'), text()) };
}

/** Functions below the root, which are sampled one after the other. */
function flat(name: string, count: number, make: MakeNode, samples = 3000): HostileInput {
  return profile(name, () => profileText(belowRoot(count, make), samples, (number) => 2 + (number % count)));
}

type MakeNode = (number: number) => Omit<NodeText, 'id'>;

function ticksOf(lines: number): string {
  return `,"positionTicks":[${[...times(lines, (line) => `{"line":${line + 1},"ticks":1}`)].join(',')}]`;
}

function packed(file: string, bytes: Buffer): string {
  writeFileSync(file, gzipSync(bytes));
  return file;
}

function* belowRoot(count: number, make: MakeNode): Generator<string, void> {
  const ids = [...times(count, (number) => number + 2)].join(',');
  yield nodeText({ id: 1, name: '(root)', url: '', line: -1, more: `,"children":[${ids}]` });
  for (let number = 0; number < count; number++) yield nodeText({ id: number + 2, ...make(number) });
}

function* chain(length: number, by: 'children' | 'parent', isOfMany = false): Generator<string, void> {
  for (let id = 1; id <= length; id++) {
    const above = by === 'parent' && id > 1 ? `,"parent":${id - 1}` : '';
    const below = by === 'children' && id < length ? `,"children":[${id + 1}]` : '';
    const own = { id, more: above + below, ...(isOfMany ? { name: `f${id}`, line: id } : {}) };
    yield nodeText(id === 1 ? { ...own, name: '(root)', url: '', line: -1 } : own);
  }
}

/** Two chains of calls below one caller, which share nothing. */
function* twoChains(length: number): Generator<string, void> {
  yield nodeText({ id: 1, name: '(root)', url: '', line: -1, more: `,"children":[2,${length + 1}]` });
  for (let id = 2; id <= length * 2; id++) {
    const below = id === length || id === length * 2 ? '' : `,"children":[${id + 1}]`;
    yield nodeText({ id, name: `f${id}`, line: id, more: below });
  }
}

function* withIdle(functions: number): Generator<string, void> {
  yield* belowRoot(functions, (number) => ({ name: `f${number}`, line: number }));
  yield nodeText({ id: functions + 2, name: '(idle)', url: '', line: -1 });
}

/** 29 samples of work, and one without any. */
function longTurns(number: number): number {
  return number % 30 === 0 ? 20_002 : 2 + ((number * 31) % 20_000);
}

function* manyOf(start: string, piece: string, count: number): Generator<string, void> {
  yield start;
  const thousand = piece.repeat(1000);
  for (let number = 0; number < count / 1000; number++) yield thousand;
}
