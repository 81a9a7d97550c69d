// What `npm run nightly` measures. A measurement is a program that hands numbers over (lab/figure.mjs); each of its rows
// is one of these numbers, with its target. docs/ says what the numbers mean.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * `tolerance`: by which share of the latest value a row may be on the wrong side of it. None for counts; 0.1 for ratios in
 * one run; 0.25 for times, which vary with the hour.
 */
const atMost = (target, unit = '', tolerance = toleranceOf(unit)) => ({ atMost: target, unit, tolerance });
const atLeast = (target, unit = '', tolerance = toleranceOf(unit)) => ({ atLeast: target, unit, tolerance });

function toleranceOf(unit) {
  return { '': 0, '×': 0.1, MB: 0.1 }[unit] ?? 0.25;
}

/**
 * `words`: the program and its arguments. `times`: how many runs a value is the median of, 3 where it is not said; 1 where
 * the program itself takes medians, or takes hours. `minutes`: of one run on a quiet machine. It is stopped after four
 * times as long and half an hour.
 */
function measurement(name, words, { minutes, times = 3, needs = [], rows }) {
  const named = Object.entries(rows).map(([row, limits]) => ({ name: row, ...limits }));
  return { name, words, minutes, times, needs, limitMinutes: 4 * minutes + 30, rows: named };
}

/** Each test file below lab/nightly, by its name. Those that open VS Code need a browser, too. */
export function testFiles(root) {
  const folder = path.join(root, 'lab/nightly');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.ts'));
  return files.toSorted().map((file) => {
    const isInVscode = readFileSync(path.join(folder, file), 'utf8').includes('helpers/vscode/');
    const minutes = 3;
    const words = ['lab/nightly/test-files.mjs', path.posix.join('lab/nightly', file.replaceAll(path.sep, '/')), '40'];
    const needs = isInVscode ? ['build', 'vscode'] : ['build'];
    return measurement(file.replace('.test.ts', ''), words, { minutes, needs, rows: { 'failed tests': atMost(0) } });
  });
}

const bench = (name, details, ...options) => measurement(name, ['lab/bench/main.mjs', name, ...options], details);
const quick = 'hotspan record -q -- node empty.js above that';
const toProfile = (what, target) => [what, atMost(target, '×')];

export const measurements = [
  measurement('npm test', ['lab/nightly/whole-suite.ts'], {
    minutes: 3,
    rows: { 'failed tests': atMost(0), 'wall time': atMost(150, 's'), 'CPU time': atMost(250, 's', 0.1) },
  }),
  measurement('test:all', ['lab/nightly/whole-suite.ts', '--all'], {
    minutes: 15,
    times: 1,
    rows: { 'failed tests': atMost(0), 'wall time': atMost(720, 's'), 'CPU time': atMost(1000, 's', 0.1) },
  }),
  measurement('recorder tests, every Node', ['lab/nightly/test-files.mjs', 'test/integration/recorder', '40'], {
    minutes: 10,
    times: 1,
    needs: ['build'],
    rows: { 'failed tests': atMost(0) },
  }),
  measurement('git states', ['lab/nightly/git-states/main.ts'], {
    minutes: 30,
    times: 1,
    rows: { 'cells with a trace': atMost(0), 'cells with another end': atMost(0) },
  }),
  measurement('cancelled re-checks', ['lab/nightly/cancelled-rechecks.ts'], {
    minutes: 6,
    times: 1,
    needs: ['build'],
    rows: { 'moments after which something is left': atMost(0), 'longest until all is gone': atMost(1000, 'ms') },
  }),
  measurement('fuzz', ['lab/run.mjs', 'fuzz', '--cases', '10000'], {
    minutes: 25,
    times: 1,
    rows: { 'failed cases': atMost(0) },
  }),
  measurement('recorder matrix, every Node', ['lab/run.mjs', 'recorder-matrix'], {
    minutes: 90,
    times: 1,
    rows: { 'rows that differ': atMost(0) },
  }),
  measurement('constructs, every Node', ['lab/run.mjs', 'constructs'], {
    minutes: 25,
    times: 1,
    rows: {
      'lines that are wrong': atMost(0),
      'least time on lines that are right or honest': atLeast(95, '%', 0.01),
    },
  }),
  measurement('everywhere', ['lab/run.mjs', 'everywhere'], {
    minutes: 5,
    times: 1,
    rows: { 'other tools that fail': atMost(0), 'package managers that fail': atMost(0) },
  }),
  measurement('toolchains', ['lab/run.mjs', 'toolchains'], {
    minutes: 90,
    times: 1,
    rows: { 'rows that differ': atMost(0) },
  }),
  bench('waits', {
    minutes: 1,
    rows: {
      [quick]: atMost(120, 'ms'),
      'the command itself, processor time above an empty process': atMost(60, 'ms', 0.1),
      'the shop: from the end of its tests to the table in the terminal': atMost(400, 'ms'),
    },
  }),
  bench('analyze', {
    minutes: 10,
    times: 1,
    rows: Object.fromEntries([
      toProfile('mostly nodes, sampled every ms, CPU time to JSON.parse', 1),
      toProfile('mostly nodes, CPU time to JSON.parse', 0.45),
      toProfile('mostly samples, CPU time to JSON.parse', 1.8),
      toProfile('mostly samples, foreign code, CPU time to JSON.parse', 0.9),
      toProfile('a server, CPU time above 120 ms to JSON.parse', 1),
      toProfile('made-up files, most time per MB to least', 1.2),
    ]),
  }),
  bench('findings', {
    minutes: 2,
    times: 1,
    rows: { 'most that findings take of an analysis': atMost(3, '%') },
  }),
  bench('v8-log', {
    minutes: 3,
    times: 1,
    rows: { 'CPU time to V8’s': atMost(0.5, '×'), 'memory to the file': atMost(0.6, '×') },
  }),
  bench('hostile', {
    minutes: 6,
    times: 1,
    rows: {
      'longest of any input': atMost(30, 's'),
      'most memory of any input': atMost(2000, 'MB'),
      'inputs that end analyze': atMost(0),
    },
  }),
  bench('page', { minutes: 6, times: 1, rows: { ...pageRows('TypeScript'), ...pageRows('made up') } }),
  bench('editor', {
    minutes: 8,
    times: 1,
    rows: {
      'First mark of a fresh window, after the end of the run': atMost(1000, 'ms'),
      'Result in the status bar, after the end of the run': atMost(1000, 'ms'),
      'First mark, after the end of the run': atMost(1000, 'ms'),
      'Activation, processor time in a process of its own': atMost(10, 'ms', 0.1),
      'Extension host, to show the marks of 50 000 lines with 5 000 hot ones (20 are drawn)': atMost(50, 'ms'),
      'Size of the .vsix': atMost(1.5, 'MB', 0.02),
      'Open Profile… of 100 MB, from the choice to the first frames': atMost(1500, 'ms'),
    },
  }),
  bench('lines', {
    minutes: 40,
    times: 1,
    rows: { 'lines that are wrong or say nothing': atMost(1), 'compilers that could not be run': atMost(0) },
  }),
  bench('busy', {
    minutes: 15,
    times: 1,
    rows: {
      'largest median error': atMost(2, '%'),
      'long operations counted wrong': atMost(2, '%'),
      'figures off without ≈, in a run': atMost(1, '', 0.5),
    },
  }),
  bench(
    'verify',
    {
      minutes: 60,
      times: 1,
      rows: {
        'comparisons with a false verdict': atMost(0),
        'functions with a false verdict in a re-check': atMost(1, '%', 0.5),
        'budgets that unchanged code exceeds': atMost(0),
      },
    },
    ...['--fresh', '--record', '24'],
  ),
  bench('record-overhead', {
    minutes: 40,
    times: 1,
    rows: {
      ...Object.fromEntries([
        toProfile('computing for four seconds, all to --cpu-prof', 1.05),
        toProfile('jest, 40 files, two workers, cpu to --cpu-prof', 1.08),
        toProfile('vitest, 40 files, forks, cpu to --cpu-prof', 1.08),
        toProfile('tiers, a compiler, all to --cpu-prof', 1.15),
        toProfile('tiers, a service, all to --cpu-prof', 1.15),
      ]),
      'an express server, perSecond to --cpu-prof': atLeast(0.9, '×'),
      'maps of 2000 modules, memory more than --cpu-prof': atMost(25, 'MB'),
    },
  }),
  bench('record-hour', {
    minutes: 2,
    rows: { 'memory after 30 s to that after 12 s': atMost(1.1, '×', 0.05) },
  }),
  bench('agents', {
    minutes: 3,
    rows: {
      connected: atMost(400, 'ms', 40),
      status: atMost(900, 'ms', 90),
      hotspots: atMost(50, 'ms', 5),
      explain: atMost(50, 'ms', 5),
      'tokens of the list of tools': atMost(700, 'tokens', 10),
      'calls of a session': atMost(8, 'calls', 1),
      'tokens of a session': atMost(3500, 'tokens', 50),
      'longest call': atMost(45, 's', 5),
    },
  }),
  bench('load', {
    minutes: 5,
    times: 1,
    rows: {
      'a server after a fix, hotspan load: requests per second to bare': atLeast(0.95, '×', 0.05),
      'a server after a fix, hotspan load: p99 beyond bare': atMost(2, 'ms', 1),
    },
  }),
  besideSpinners('npm test', ['--runs', '20'], 80),
  besideSpinners('test:all', ['--all', '--runs', '5'], 190),
];

function pageRows(profile) {
  return {
    [`${profile}, first paint`]: atMost(300, 'ms'),
    [`${profile}, zoom`]: atMost(50, 'ms'),
    [`${profile}, search`]: atMost(100, 'ms'),
    [`${profile}, a move of brushing`]: atMost(16, 'ms'),
    [`${profile}, memory`]: atMost(150, 'MB'),
  };
}

function besideSpinners(name, options, minutes) {
  const words = ['lab/nightly/whole-suite.ts', '--spinners', '8', ...options];
  const rows = { 'red runs': atMost(0), 'slowest run to a quiet one': atMost(6, '×', 0.25) };
  return measurement(`${name} beside eight spinners`, words, { minutes, times: 1, rows });
}
