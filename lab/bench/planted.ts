// Plants changes by two into a small project, and asks `hotspan compare --base HEAD` for each: of a function's text or of
// its inputs, alone or two in opposite directions. Counts what is found, and what is claimed of the functions beside.
// It needs a quiet machine. `npm run bench -- planted -- --trials 30`.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { ChangeVerdict } from '../../protocol/comparison.ts';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { figure } from '../figure.mjs';
import { printTable } from './busy/table.ts';

const { values } = parseArgs({ options: { trials: { type: 'string', default: '30' } } });
const cli = projectFile('dist/cli.cjs');
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-planted-'));

/** Bodies of functions that take 60 to 170 ms, for rows of the number that a test passes. */
const bodies = {
  encodeRows: 'for (let i = 0; i < ROUNDS; i++) JSON.parse(JSON.stringify(rows));',
  sortRows: 'for (let i = 0; i < ROUNDS; i++) rows.toSorted((a, b) => (a.name < b.name ? 1 : -1) || a.id - b.id);',
  sumRows:
    'let sum = 0; for (let i = 0; i < 20 * ROUNDS; i++) for (const row of rows) sum += Math.sqrt(row.id + i) % 3; return sum;',
  joinRows:
    "for (let i = 0; i < 2 * ROUNDS; i++) rows.map((row) => row.name.toUpperCase() + '/' + row.id).join().split(/,+/);",
};
type Name = keyof typeof bodies;
const names = ['encodeRows', 'sortRows', 'sumRows', 'joinRows'] as const;

/** How often as much a function does, and how many times as many rows it gets. */
type Work = Readonly<Partial<Record<Name, number>>>;

const kinds = [
  { name: 'text, alone', text: true, two: false },
  { name: 'inputs, alone', text: false, two: false },
  { name: 'text, two in opposite directions', text: true, two: true },
  { name: 'inputs, two in opposite directions', text: false, two: true },
] as const;

function write(text: Work, inputs: Work): void {
  for (const name of names) {
    const body = bodies[name].replaceAll('ROUNDS', String(Math.round(12 * (text[name] ?? 1))));
    writeFileSync(path.join(folder, `src/${name}.js`), `exports.${name} = function ${name}(rows) {\n  ${body}\n};\n`);
    const test = `const rows = Array.from({ length: ${Math.round(16_000 * (inputs[name] ?? 1))} }, (_, id) => ({ id, name: 'row ' + ((id * 7919) % 10_007) }));
require('node:test')('${name}', () => { require('../src/${name}.js').${name}(rows); });\n`;
    writeFileSync(path.join(folder, `test/${name}.test.js`), test);
  }
}

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder, encoding: 'utf8' });

/** By kind: how many are found, of how many, and how many false verdicts there are. */
const found: Record<string, [right: number, wanted: number, wrong: number]> = {};
try {
  for (const part of ['src', 'test']) mkdirSync(path.join(folder, part));
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "planted" }');
  write({}, {});
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  for (let trial = 0; trial < Number(values.trials); trial++) await tryOne(trial);
  const sumOf = (at: 0 | 1 | 2): number => Object.values(found).reduce((sum, one) => sum + one[at], 0);
  console.log(`Node ${process.version}, ${os.cpus().length} cores, at a load of ${os.loadavg()[0]?.toFixed(1)}:`);
  printTable([
    ['planted', 'found', 'false'],
    ...Object.entries(found).map(([name, [right, wanted, wrong]]) => [name, `${right} of ${wanted}`, String(wrong)]),
  ]);
  figure('planted changes found', sumOf(0) / sumOf(1));
  figure('false verdicts beside them', sumOf(2));
} finally {
  rmSync(folder, { recursive: true });
}

async function tryOne(trial: number): Promise<void> {
  const kind = kinds[trial % kinds.length] ?? kinds[0];
  const at = Math.floor(trial / kinds.length);
  const [first = 'sumRows', second = 'sortRows'] = [names[at % names.length], names[(at + 1) % names.length]];
  const isSlower = at % 2 === 0;
  const work: Work = { [first]: isSlower ? 2 : 0.5, ...(kind.two ? { [second]: isSlower ? 0.5 : 2 } : {}) };
  write(kind.text ? work : {}, kind.text ? {} : work);
  const said = await compared();
  git('checkout', '--quiet', '.');
  const wanted = names.map((name): ChangeVerdict | null => {
    const factor = work[name];
    return factor === undefined ? null : factor > 1 ? 'slower' : 'faster';
  });
  const right = names.filter((name, number) => wanted[number] !== null && said.get(name) === wanted[number]).length;
  const isClaim = (verdict: string | undefined): boolean => verdict === 'slower' || verdict === 'faster';
  const wrong = names.filter((name, number) => isClaim(said.get(name)) && said.get(name) !== wanted[number]).length;
  const counts = (found[kind.name] ??= [0, 0, 0]);
  counts[0] += right;
  counts[1] += kind.two ? 2 : 1;
  counts[2] += wrong;
  console.log(`${kind.name}: ${JSON.stringify(work)} → ${names.map((name) => `${name} ${said.get(name)}`).join(', ')}`);
}

async function compared(): Promise<ReadonlyMap<string, ChangeVerdict>> {
  const words = [cli, 'compare', '--base', 'HEAD', '--json', '--', process.execPath, '--test'];
  // A change has an exit code of its own.
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, maxBuffer: 2 ** 28 }).catch(
    (error: unknown) => ({ stdout: isRecord(error) ? String(error['stdout']) : '' }),
  );
  const json = parseJson(stdout);
  const rows = isComparison(json) ? json.functions : [];
  return new Map(rows.map(({ was, is, verdict }) => [(is ?? was)?.label ?? '', verdict]));
}
