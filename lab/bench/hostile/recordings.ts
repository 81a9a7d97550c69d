import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type HostileInput,
  jsonLines,
  nodeText,
  plainProfile,
  profileText,
  root,
  times,
  writePieces,
  writeRecording,
} from './hostile-input.ts';

/** What the folder of a recording can contain. */
export const recordings: readonly HostileInput[] = [
  lines('1 000 000 workers', 'events.jsonl', 1e6, (number) => {
    return { type: 'start', isolate: `7-${number}-b`, pid: 7, threadId: number, argv: [], at: number };
  }),
  recording('200 000 processes that were lost', () => ({ 'events.jsonl': lostProcesses(2e5) })),
  recording('an event of 300 MB', () => ({ 'events.jsonl': ['{"type":"', 'x'.repeat(3e8), '"}\n'] })),
  lines('600 MB of events', 'events.jsonl', 6e5, () => ({ x: 'x'.repeat(1000) })),
  lines('3 000 000 empty events', 'events.jsonl', 3e6, () => ({})),
  lines('1 000 000 turns', '.turns.jsonl', 1e6, (number) => ['turn', at(number), at(number) + 2, 2, 0, 0]),
  lines('1 000 000 collections', '.turns.jsonl', 1e6, (number) => {
    return ['gc', at(number), at(number) + 2, `k${number}`, 1, 1, 1, 1, 1];
  }),
  lines('1 000 000 histograms', '.turns.jsonl', 1e6, (number) => {
    return ['histogram', at(number), at(number) + 2, [1, 2, 3], [1, 2, 3]];
  }),
  recording('1 000 000 waits', () => ({
    '.waits.jsonl': jsonLines(1e6, (number) => [1e6 + number, 1e6 + number, number]),
    '.turns.jsonl': jsonLines(1e5, (number) => ['turn', 1e6 + number * 30, 1e6 + number * 30 + 20, 2, 0, -1]),
  })),
  lines('200 000 tests that never end', '.tests.jsonl', 2e5, (number) => {
    return ['begin', 1e6 + number * 10, number, `/app/${number}.test.js`, ['t'], -1];
  }),
  lines('200 000 tests in one another', '.tests.jsonl', 2e5, (number) => {
    return ['begin', 1e6 + number * 10, number, `${root}/a.test.js`, ['t'], number - 1];
  }),
  routes('200 000 routes', 2e5, (number) => `/a${number % 40}/b${number}/c`),
  routes('20 000 routes of 400 parts', 2e4, (number) => `${'/x'.repeat(400)}/${number}`),
  routes('routes of 100 000 parts', 60, (number) => `${'/x'.repeat(1e5)}/${number}`),
  lines('a route with the number 4 000 000 000', '.requests.jsonl', 1, () => [
    'route',
    4_000_000_000,
    'GET',
    '/a',
    'path',
  ]),
  recording('200 000 requests at a time', openRequests, blocks),
  recording('200 000 requests of 100 000 routes', manyRoutes, blocks),
  written('a recording of 3000 threads', (folder) => writeThreads(folder, 3000)),
  written('a recording of 100 000 files', (folder) => {
    for (let number = 1; number < 1e5; number++) writeFileSync(path.join(folder, `7-${number}-a.turns.jsonl`), '');
  }),
  written('20 000 kept texts of one file', (folder) => {
    const name = (number: number): string => `a-${number.toString(36)}`;
    writeRecording(folder, {
      '.texts.jsonl': jsonLines(2e4, (number) => ({ url: `file://${root}/a.js`, text: name(number) })),
    });
    for (let number = 0; number < 2e4; number++)
      writeFileSync(path.join(folder, `${name(number)}.text.gz`), gzipSync(`function f${number}() {}`));
  }),
  written('2000 threads, and 20 000 kept texts', (folder) => {
    const texts = (letter: string): Iterable<string> =>
      jsonLines(2e4, (number) => ({ url: `file://${root}/${number}.js`, text: `${letter}-${number.toString(36)}` }));
    writeRecording(folder, { '.texts.jsonl': texts('a'), 'read.texts.jsonl': texts('b') });
    writeThreads(folder, 2000);
  }),
  written('a kept text of 1 GB', (folder) => {
    writeRecording(folder, { '.texts.jsonl': [`{"url":"file://${root}/a.js","text":"a-1"}\n`] });
    writeFileSync(path.join(folder, 'a-1.text.gz'), gzipSync(Buffer.alloc(1e9, 'a')));
  }),
  written('a folder of 20 000 segments', (folder) => {
    writeFileSync(path.join(folder, 'recording.json'), JSON.stringify({ version: 2, cwd: '/a'.repeat(20_000) }));
  }),
  written('recording.json of 300 MB', (folder) => {
    writePieces(path.join(folder, 'recording.json'), ['{"version":2,"notes":["', 'x'.repeat(3e8), '"]}']);
  }),
  written('1 000 000 notes in recording.json', (folder) => {
    const notes = [...times(1e6, (number) => `note ${number}`)];
    writeFileSync(path.join(folder, 'recording.json'), JSON.stringify({ version: 2, cwd: root, notes }));
  }),
  {
    name: '30 000 folders in a folder',
    write: (folder) => {
      for (let number = 0; number < 3e4; number++) mkdirSync(path.join(folder, `${number}`));
      return folder;
    },
  },
];

/** In µs. */
function at(number: number): number {
  return 1e6 + number * 3;
}

/** A recording in which something is written, too. */
function written(name: string, more: (folder: string) => void): HostileInput {
  return {
    name,
    write: (folder) => {
      writeRecording(folder, {});
      more(folder);
      return folder;
    },
  };
}

function writeThreads(folder: string, threads: number): void {
  const text = [...plainProfile()].join('');
  for (let number = 1; number < threads; number++) writeFileSync(path.join(folder, `7-${number}-a.0.cpuprofile`), text);
}

/** A recording with so many lines in one of its files. */
function lines(name: string, file: string, count: number, make: (number: number) => unknown): HostileInput {
  return recording(name, () => ({ [file]: jsonLines(count, make) }));
}

function routes(name: string, count: number, path: (number: number) => string): HostileInput {
  return lines(name, '.requests.jsonl', count, (number) => ['route', number, 'GET', path(number), 'path']);
}

function recording(
  name: string,
  files: () => Readonly<Record<string, Iterable<string>>>,
  profile?: () => Iterable<string>,
): HostileInput {
  return { name: `a recording with ${name}`, write: (folder) => writeRecording(folder, files(), profile?.()) };
}

function* lostProcesses(count: number): Generator<string, void> {
  for (let pid = 100; pid < count + 100; pid++) {
    const own = `${pid}-0-a`;
    yield `{"type":"start","isolate":"${own}","pid":${pid},"threadId":0,"argv":["node","/app/a.js"],"at":1}\n`;
    yield `{"type":"lost","isolate":"${own}","reason":"ENOSPC"}\n`;
  }
}

/** 100 000 stretches of 20 ms. */
function blocks(): Iterable<string> {
  const nodes = [
    nodeText({ id: 1, name: '(root)', url: '', line: -1, more: ',"children":[2,3]' }),
    nodeText({ id: 2 }),
    nodeText({ id: 3, name: '(idle)', url: '', line: -1 }),
  ];
  return profileText(nodes, 2_100_000, (number) => (number % 21 === 0 ? 3 : 2));
}

/** All of them are open from the beginning to the end. */
function openRequests(): Readonly<Record<string, Iterable<string>>> {
  return {
    '.requests.jsonl': (function* () {
      yield '["route",0,"GET","/a"]\n';
      yield* jsonLines(2e5, (number) => ['request', 0, -1, 1e6 + number * 5000, 2e9]);
    })(),
  };
}

function manyRoutes(): Readonly<Record<string, Iterable<string>>> {
  return {
    '.requests.jsonl': (function* () {
      yield* jsonLines(1e5, (number) => ['route', number, 'GET', `/a${number}/:id`]);
      yield* jsonLines(2e5, (number) => ['request', number % 1e5, -1, 1e6 + number * 5000, 1e6 + number * 5000 + 3e4]);
    })(),
  };
}
