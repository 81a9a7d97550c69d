import path from 'node:path';
import { writeDrawn } from './drawn-workspace.ts';
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
/** A workspace with recordings of states that the runs of a test cannot be brought to, each in the folder of its name. */
export const drawnStates = temporaryProject({
  'package.json': '{ "name": "drawn", "scripts": { "test": "node --test" } }',
  'src/app.ts': source,
  '.vscode/settings.json': '{}',
});
const range = (length: number): readonly number[] => Array.from({ length }, (_, number) => number);

const steps = range(30).map((number) => `step${number}`);
writeDrawn(drawnStates, { name: 'short' }, `ms ${steps.map(() => 3).join(' ')}\n${steps.join(' ')}`, {
  turns: [[0, 90]],
});
writeDrawn(drawnStates, { name: 'others' }, 'ms 118 5 20\nbcryptjs#hash (idle) bcryptjs#hash', {
  turns: [
    [0, 118],
    [123, 143],
  ],
});
writeDrawn(drawnStates, { name: 'unseen' }, 'ms 8 5\nnode:fs#read (idle)', { turns: [[0, 8]] });
const cases = range(50);
writeDrawn(
  drawnStates,
  { name: 'many' },
  `ms ${cases.map(() => '15 5').join(' ')}\n${cases.map((number) => `case${number % 25} (idle)`).join(' ')}`,
  {
    turns: cases.map((number) => [number * 20, number * 20 + 15]),
  },
);
writeDrawn(drawnStates, { name: 'waits' }, 'ms 118 5 20 5\nbcryptjs#hash (idle) answer (idle)', {
  turns: [
    [0, 118],
    [123, 143],
  ],
  requests: [
    { since: 1, start: 120, end: 125 },
    { since: 2, start: 124, end: 150, slow: true },
    { since: 10, start: 119, end: 160 },
  ],
});
writeDrawn(
  drawnStates,
  { name: 'facts', source },
  `
  ms 60 5 30 30 5 20 10 5 40 20 40 5 50
  silent (idle) twice twice (idle) lazy lazy (idle) garbage (gc) garbage (idle) held
  . . . . . node:internal/modules/cjs/loader#require node:internal/modules/cjs/loader#require . . . . . .
  . . . . . . cart.ts#<module> . . . . . .
  `,
  {
    turns: [
      [65, 125],
      [130, 160],
      [165, 265],
    ],
    turnLines: [
      ['turn', 2_050_000, 2_110_000, 10_000, 0, 0],
      ['turn', 2_320_000, 2_370_000, 20_000, 0, 30_000],
    ],
    ticks: {
      twice: [
        [5, 30],
        [6, 30],
      ],
    },
  },
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
/** Two profiles, which say nothing of the command that ran, as an argument of the command that shows their diff. */
export const drawnProfiles = {
  base: [[path.join(drawnStates, 'plain.cpuprofile')]],
  head: [[path.join(drawnStates, 'later.cpuprofile')]],
  place: null,
};
