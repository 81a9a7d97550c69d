import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { projectFile } from '../../test/helpers/project.ts';

/** Puts the rows, the description of the profiles, and that of the machine between the marks in docs/performance.md. */
export function replaceTables(profiles: readonly string[], rows: readonly string[], linearity: string): void {
  const file = projectFile('docs/performance.md');
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  const load = os.loadavg()[1]?.toFixed(0);
  const text = [
    `Measured on ${cpu?.model ?? 'an unknown processor'}, ${os.cpus().length} cores, ${memory} GB of memory, at a load of ${load}, Node.js ${process.versions.node}, by \`npm run bench -- analyze\`.`,
    '',
    '| profile | size | nodes | samples | deepest stack |',
    '|---|---|---|---|---|',
    ...profiles,
    '',
    'Wall time is from start to end. The main thread (its processor time) is what a person waits for where no other program runs; all threads are what it takes of the processors.',
    '',
    '| profile | read by | wall time | to JSON.parse | main thread | to JSON.parse | all threads | to JSON.parse | goal | memory at most | allowed |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    linearity,
  ].join('\n');
  const [before = '', , after = ''] = readFileSync(file, 'utf8').split(/<!-- (?:measured|end) -->/);
  writeFileSync(file, `${before}<!-- measured -->\n\n${text}\n\n<!-- end -->${after}`);
}
