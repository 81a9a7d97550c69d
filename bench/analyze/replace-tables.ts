import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { projectFile } from '../../test/helpers/project.ts';

/** Puts the rows, and what they were measured on, between the marks in docs/performance.md. */
export function replaceTables(rows: readonly string[]): void {
  const file = projectFile('docs/performance.md');
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  const text = [
    `Measured on ${cpu?.model ?? 'an unknown processor'}, ${os.cpus().length} cores, ${memory} GB of memory, Node.js ${process.versions.node}, by \`npm run bench -- analyze\`.`,
    '',
    'CPU time is that of all threads; the main thread alone takes as long as a person waits where no other program runs.',
    '',
    '| profile | read by | CPU time | to JSON.parse | main thread | to JSON.parse | CPU time per MB | memory at most | allowed |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
  const [before = '', , after = ''] = readFileSync(file, 'utf8').split(/<!-- (?:measured|end) -->/);
  writeFileSync(file, `${before}<!-- measured -->\n\n${text}\n\n<!-- end -->${after}`);
}
