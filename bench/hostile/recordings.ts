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
  recording('1 000 000 workers', () => ({
    'events.jsonl': jsonLines(1e6, (number) => {
      return { type: 'start', isolate: `7-${number}-b`, pid: 7, threadId: number, argv: [], at: number };
    }),
  })),
  recording('200 000 processes that were lost', () => ({
    'events.jsonl': lostProcesses(2e5),
  })),
  recording('an event of 300 MB', () => ({ 'events.jsonl': ['{"type":"', 'x'.repeat(3e8), '"}\n'] })),
  recording('600 MB of events', () => ({ 'events.jsonl': times(6e5, () => `{"x":"${'x'.repeat(1000)}"}\n`) })),
  recording('3 000 000 empty events', () => ({ 'events.jsonl': times(3e6, () => '{}\n') })),
  recording('1 000 000 turns', () => ({
    '.turns.jsonl': jsonLines(1e6, (number) => ['turn', 1e6 + number * 3, 1e6 + number * 3 + 2, 2, 0, 0]),
  })),
  recording('1 000 000 collections', () => ({
    '.turns.jsonl': jsonLines(1e6, (number) => [
      'gc',
      1e6 + number * 3,
      1e6 + number * 3 + 2,
      `k${number}`,
      1,
      1,
      1,
      1,
      1,
    ]),
  })),
  recording('1 000 000 histograms', () => ({
    '.turns.jsonl': jsonLines(1e6, (number) => [
      'histogram',
      1e6 + number * 3,
      1e6 + number * 3 + 2,
      [1, 2, 3],
      [1, 2, 3],
    ]),
  })),
  recording('1 000 000 waits', () => ({
    '.waits.jsonl': jsonLines(1e6, (number) => [1e6 + number, 1e6 + number, number]),
    '.turns.jsonl': jsonLines(1e5, (number) => ['turn', 1e6 + number * 30, 1e6 + number * 30 + 20, 2, 0, -1]),
  })),
  recording('200 000 tests that never end', () => ({
    '.tests.jsonl': jsonLines(2e5, (number) => [
      'begin',
      1e6 + number * 10,
      number,
      `/app/${number}.test.js`,
      ['t'],
      -1,
    ]),
  })),
  recording('200 000 tests in one another', () => ({
    '.tests.jsonl': jsonLines(2e5, (number) => [
      'begin',
      1e6 + number * 10,
      number,
      `${root}/a.test.js`,
      ['t'],
      number - 1,
    ]),
  })),
  recording('200 000 routes', () => ({
    '.requests.jsonl': jsonLines(2e5, (number) => ['route', number, 'GET', `/a${number % 40}/b${number}/c`, 'path']),
  })),
  recording('20 000 routes of 400 parts', () => ({
    '.requests.jsonl': jsonLines(2e4, (number) => ['route', number, 'GET', `${'/x'.repeat(400)}/${number}`, 'path']),
  })),
  recording('routes of 100 000 parts', () => ({
    '.requests.jsonl': jsonLines(60, (number) => ['route', number, 'GET', `${'/x'.repeat(1e5)}/${number}`, 'path']),
  })),
  recording('a route with the number 4 000 000 000', () => ({
    '.requests.jsonl': jsonLines(1, () => ['route', 4_000_000_000, 'GET', '/a', 'path']),
  })),
  recording('200 000 requests at a time', openRequests, blocks),
  recording('200 000 requests of 100 000 routes', manyRoutes, blocks),
  {
    name: 'a recording of 3000 threads',
    write: (folder) => {
      const text = [...plainProfile()].join('');
      writeRecording(folder, {});
      for (let number = 1; number < 3000; number++)
        writeFileSync(path.join(folder, `7-${number}-a.0.cpuprofile`), text);
      return folder;
    },
  },
  {
    name: 'a recording of 100 000 files',
    write: (folder) => {
      writeRecording(folder, {});
      for (let number = 1; number < 1e5; number++) writeFileSync(path.join(folder, `7-${number}-a.turns.jsonl`), '');
      return folder;
    },
  },
  {
    name: 'texts.json.gz of 1 GB',
    write: (folder) => {
      writeRecording(folder, {});
      const bomb = gzipSync(Buffer.concat([Buffer.from('{"/app/a.js":"'), Buffer.alloc(1e9, 'a'), Buffer.from('"}')]));
      writeFileSync(path.join(folder, 'texts.json.gz'), bomb);
      return folder;
    },
  },
  {
    name: '20 000 kept texts of one file',
    write: (folder) => {
      writeRecording(folder, {
        '.texts.jsonl': jsonLines(2e4, (number) => {
          return { url: 'file://${root}/a.js', text: `a-${number.toString(36)}` };
        }),
      });
      for (let number = 0; number < 2e4; number++)
        writeFileSync(path.join(folder, `a-${number.toString(36)}.text.gz`), gzipSync(`function f${number}() {}`));
      return folder;
    },
  },
  {
    name: '2000 threads, and 20 000 kept texts',
    write: (folder) => {
      const text = [...plainProfile()].join('');
      writeRecording(folder, {
        '.texts.jsonl': jsonLines(2e4, (number) => {
          return { url: `file://${root}/${number}.js`, text: `a-${number.toString(36)}` };
        }),
        'read.texts.jsonl': jsonLines(2e4, (number) => {
          return { url: `file://${root}/${number}.js`, text: `b-${number.toString(36)}` };
        }),
      });
      for (let number = 1; number < 2000; number++)
        writeFileSync(path.join(folder, `7-${number}-a.0.cpuprofile`), text);
      return folder;
    },
  },
  {
    name: 'a kept text of 1 GB',
    write: (folder) => {
      writeRecording(folder, { '.texts.jsonl': [`{"url":"file://${root}/a.js","text":"a-1"}\n`] });
      writeFileSync(path.join(folder, 'a-1.text.gz'), gzipSync(Buffer.alloc(1e9, 'a')));
      return folder;
    },
  },
  {
    name: 'a folder of 20 000 segments',
    write: (folder) => {
      writeRecording(folder, {});
      const manifest = { version: 2, cwd: '/a'.repeat(20_000) };
      writeFileSync(path.join(folder, 'recording.json'), JSON.stringify(manifest));
      return folder;
    },
  },
  {
    name: 'recording.json of 300 MB',
    write: (folder) => {
      writeRecording(folder, {});
      writePieces(path.join(folder, 'recording.json'), ['{"version":2,"notes":["', 'x'.repeat(3e8), '"]}']);
      return folder;
    },
  },
  {
    name: '1 000 000 notes in recording.json',
    write: (folder) => {
      writeRecording(folder, {});
      const manifest = {
        version: 2,
        cwd: '${root}',
        notes: Array.from({ length: 1e6 }, (_, number) => `note ${number}`),
      };
      writeFileSync(path.join(folder, 'recording.json'), JSON.stringify(manifest));
      return folder;
    },
  },
  {
    name: '30 000 folders in a folder',
    write: (folder) => {
      for (let number = 0; number < 3e4; number++) mkdirSync(path.join(folder, `${number}`));
      return folder;
    },
  },
];

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
