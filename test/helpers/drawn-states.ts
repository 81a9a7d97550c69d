import path from 'node:path';
import { type DrawnOnDisk, writeDrawn } from './drawn-workspace.ts';
import { temporaryProject } from './temporary-project.ts';

const source = `export function silent(ms) {
  return wait(ms);
}
export function twice(list) {
  const first = list.map(double);
  return first.filter(known);
}
export function lazy() {
  return require('./cart.ts');
}
export function garbage() {
  return new Array(1e7).fill(0);
}
export function held(list) {
  return sorted(list);
}
export function handler() {
  return far(pbkdf2Sync('secret'));
}
export function answer() {
  return handler();
}
`;
/** Each line in a function is one that a remedy is for. */
const remediesSource = `import { gzipSync } from 'node:zlib';
import { execSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { buildSync } from 'esbuild';
import bcrypt from 'bcryptjs';
import CryptoJS from 'crypto-js';
import pako from 'pako';

export function squeeze(text) {
  return gzipSync(text);
}
export function shell(command) {
  return execSync(command);
}
export function load(file) {
  return readFileSync(file);
}
export function bundle(options) {
  return buildSync(options);
}
export async function send(rows, socket) {
  for (const row of rows) {
    socket.write(JSON.stringify(row));
  }
}
export function hashed(secret) {
  return bcrypt.hashSync(secret);
}
export function sealed(text) {
  return CryptoJS.AES.encrypt(text, 'key');
}
export function packed(bytes) {
  return pako.deflate(bytes);
}
export function late(name) {
  return require('./plugin.js')[name];
}
export function ordered(list) {
  return list.sort((a, b) => a - b);
}
export function grown(rows) {
  let all = [];
  for (const row of rows) all = [...all, row];
  return all;
}
export function traced() {
  return new Error('here').stack;
}
export function copied() {
  const options = { depth: 1 };
  return JSON.parse(JSON.stringify(options));
}
`;
/**
 * A workspace with recordings of states that the runs of a test cannot be brought to: each in the folder of its name, as if
 * `npm run` of that name had been recorded.
 */
export const drawnStates = temporaryProject({
  'package.json': '{ "name": "drawn", "scripts": { "test": "node --test" } }',
  'src/app.ts': source,
  'src/remedies.js': remediesSource,
  '.vscode/settings.json': '{}',
});
const range = (length: number): readonly number[] => Array.from({ length }, (_, number) => number);
function draw(name: string, drawing: string, options: DrawnOnDisk, place: object = {}): void {
  const manifest = { command: ['npm', 'run', name], startedAt: '2025-12-31T00:00:00.000Z' };
  writeDrawn(drawnStates, { name, ...place }, drawing, { ...options, manifest });
}

const steps = range(30).map((number) => `step${number}`);
draw('short', `ms ${steps.map(() => 3).join(' ')}\n${steps.join(' ')}`, { turns: [[0, 90]] });
const hash = 'bcryptjs#hash';
draw('others', `ms 117 1 5 19 1\n${hash} ${hash} (idle) ${hash} ${hash}`, { turns: '0-118 123-143' });
draw('unseen', 'ms 8 5\nnode:fs#read (idle)', { turns: [[0, 8]] });
const cases = range(50);
draw(
  'many',
  `ms ${cases.map(() => '15 5').join(' ')}\n${cases.map((number) => `case${number % 25} (idle)`).join(' ')}`,
  { turns: cases.map((number) => [number * 20, number * 20 + 15]) },
);
draw('waits', `ms 117 1 5 20 5\n${hash} ${hash} (idle) answer (idle)`, {
  turns: '0-118 123-143',
  requests: [
    { since: 1, start: 120, end: 125 },
    { since: 2, start: 124, end: 150, slow: true },
    { since: 10, start: 119, end: 160 },
  ],
});
draw(
  'facts',
  `
  ms 60 5 30 30 5 20 10 5 40 20 40 5 50
  silent (idle) twice twice (idle) lazy lazy (idle) garbage (gc) garbage (idle) held
  . . . . . node:internal/modules/cjs/loader#require node:internal/modules/cjs/loader#require . . . . . .
  . . . . . . cart.ts#<module> . . . . . .
  `,
  {
    turns: '65-125 130-160 165-265',
    turnLines: [
      ['turn', 2_050_000, 2_110_000, 35_000, 0, 0],
      ['turn', 2_320_000, 2_370_000, 20_000, 0, 30_000],
    ],
    ticks: {
      twice: [
        [5, 30],
        [6, 30],
      ],
    },
  },
  { source },
);
for (const [name, time] of [
  ['plain', 60],
  ['later', 30],
] as const) {
  const drawing = `
    ms ${time} 30 5
    handler handler (idle)
    node:crypto#pbkdf2Sync file:///gone/far.js#far .
  `;
  writeDrawn(drawnStates, { name, source }, drawing, { isProfileAlone: true });
}

/** Of each function of that file one operation, on the line that the remedy is for. */
const remedied = [...remediesSource.matchAll(/function (\w+)\(/g)].map(([, name = '']) => name);
const remedyLine = (name: string): number => {
  const lines = remediesSource.split('\n');
  const begin = lines.findIndex((line) => line.includes(`function ${name}(`));
  return 1 + lines.findIndex((line, index) => index > begin && /Sync\(|JSON\.|\.\w+\(|\.\.\.|require|stack/.test(line));
};
/** What is called on such a line, where that is in JavaScript. */
const remediedCalls: Readonly<Record<string, string>> = {
  squeeze: 'node:zlib#gzipSync',
  shell: 'node:child_process#execSync',
  load: 'node:fs#readFileSync',
  bundle: 'esbuild#buildSync',
  hashed: 'bcryptjs#hashSync',
  sealed: 'crypto-js#encrypt',
  packed: 'pako#deflate',
};
const remediesDrawing = `
  ms ${remedied.map(() => '40 5').join(' ')}
  ${remedied.map((name) => `remedies.js#${name} (idle)`).join(' ')}
  ${remedied.map((name) => `${remediedCalls[name] ?? '.'} .`).join(' ')}
`;
const remediesTurns = {
  turns: remedied.map((_, number) => [number * 45, number * 45 + 40] as const),
  ticks: Object.fromEntries(remedied.map((name) => [name, [[remedyLine(name), 40] as const]])),
};
draw('remedies', remediesDrawing, remediesTurns, { file: 'remedies.js', source: remediesSource });

/** More long operations than a list shows at first, and more tests than there are groups. */
const crowd = range(650);
draw(
  'crowd',
  `ms ${crowd.map(() => '10.1 9.9').join(' ')}\n${crowd.map((number) => `case${number % 25} (idle)`).join(' ')}`,
  {
    turns: crowd.map((number) => [number * 20, number * 20 + 10.1]),
    tests: crowd
      .slice(0, 310)
      .flatMap((number) => [
        ['begin', number * 20 - 1, number, '/app/test/app.test.ts', [`case ${number}`], -1] as const,
        ['end', number * 20 + 16, number] as const,
      ]),
  },
);

/** Three runs from before a change, in a folder where recordings of this workspace are looked for, and three from after it. */
for (const run of [1, 2, 3])
  for (const [side, month, moved, gone] of [
    ['before', 1, 'old.ts#parcel', 'vanished'],
    ['after', 2, 'new.ts#parcel', 'handler'],
  ] as const)
    writeDrawn(
      drawnStates,
      { name: `.hotspan/${side}${run}`, source },
      `ms 60 5 30 5 40 5 29 1\n${moved} (idle) ${gone} (idle) garbage (idle) test#case test#case`,
      {
        turns: '0-60 65-95 100-140 145-175',
        manifest: {
          startedAt: `2026-0${month}-0${run}T00:00:00.000Z`,
          endedAt: `2026-0${month}-0${run}T00:00:01.000Z`,
        },
      },
    );

/** Keys for what else takes a person longer, or VS Code: its palette costs more than what the command does. */
export const drawnKeys = [
  { key: 'ctrl+alt+c', command: 'hotspan.clear' },
  { key: 'ctrl+alt+n', command: 'notifications.clearAll' },
  { key: 'ctrl+alt+r', command: 'hotspan.openRecording' },
  { key: 'ctrl+alt+d', command: 'hotspan.openDiffFlamegraph', args: { base: 'before', head: [] } },
  // Two profiles, which say nothing of the command that ran.
  {
    key: 'ctrl+alt+e',
    command: 'hotspan.openDiffFlamegraph',
    args: {
      base: [[path.join(drawnStates, 'plain.cpuprofile')]],
      head: [[path.join(drawnStates, 'later.cpuprofile')]],
      place: null,
    },
  },
  // What rows and lenses of this recording ask, as long as they stand there.
  {
    key: 'ctrl+alt+m',
    command: 'hotspan.moreActions',
    args: { recording: path.join(drawnStates, 'short'), functionId: 1 },
  },
  // What VS Code itself does after a reload of the window in which such a document was open.
  { key: 'ctrl+alt+t', command: 'vscode.open', args: 'hotspan-before:/src/app.ts?text=0' },
];
