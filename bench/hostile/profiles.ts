import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type HostileInput, root, nodeText, plainProfile, profileText, times, writePieces } from './hostile-input.ts';

/** What a `.cpuprofile` can contain. */
export const profiles: readonly HostileInput[] = [
  profile('a name of 100 MB', () =>
    profileText(
      belowRoot(1, () => ({ name: 'f'.repeat(1e8) })),
      3000,
      () => 2,
    ),
  ),
  profile('a url of 100 MB', () =>
    profileText(
      belowRoot(1, () => ({ url: `file://${root}/${'u/'.repeat(5e7)}` })),
      3000,
      () => 2,
    ),
  ),
  profile('a name of 300 MB', () =>
    profileText(
      belowRoot(1, () => ({ name: 'f'.repeat(3e8) })),
      3000,
      () => 2,
    ),
  ),
  profile('1000 names of 1 MB', () =>
    profileText(
      belowRoot(1000, (number) => ({ name: `${'f'.repeat(1e6)}${number}` })),
      3000,
      (number) => 2 + (number % 1000),
    ),
  ),
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
  profile('500 000 functions under one', () =>
    profileText(
      belowRoot(5e5, (number) => ({ name: `f${number}`, line: number })),
      2e6,
      (number) => 2 + (number % 5e5),
    ),
  ),
  profile('500 000 files', () =>
    profileText(
      belowRoot(5e5, (number) => ({ url: `file://${root}/${number}.js` })),
      1e6,
      (number) => 2 + (number % 5e5),
    ),
  ),
  profile('1 000 000 operations', () =>
    profileText(
      [
        ...belowRoot(1000, (number) => ({ name: `f${number}`, line: number })),
        nodeText({ id: 5000, name: '(idle)', url: '', line: -1 }),
      ],
      2e6,
      (number) => (number % 2 === 0 ? 5000 : 2 + (number % 1000)),
    ),
  ),
  profile('100 000 long operations of 20 000 functions', () => profileText(withIdle(2e4), 3e6, longTurns)),
  profile('20 000 000 samples', () =>
    profileText(
      belowRoot(1, () => ({})),
      2e7,
      () => 2,
    ),
  ),
  profile('1 000 000 lines of one function', () =>
    profileText(
      belowRoot(1, () => ({
        more: `,"positionTicks":[${[...times(1e6, (line) => `{"line":${line + 1},"ticks":1}`)].join(',')}]`,
      })),
      1e6,
      () => 2,
    ),
  ),
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

function packed(file: string, bytes: Buffer): string {
  writeFileSync(file, gzipSync(bytes));
  return file;
}

function* belowRoot(
  count: number,
  make: (number: number) => Omit<Parameters<typeof nodeText>[0], 'id'>,
): Generator<string, void> {
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
