// node lab/reference/compare-program.ts PROFILE|RECORDING … [--root FOLDER]: engine and reference, figure by figure.
import { parseArgs } from 'node:util';
import { compareRecording } from './compare-recording.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' }, threshold: { type: 'string', default: '10' } },
});
if (positionals.length === 0) {
  console.error('Name a .cpuprofile or a recording: node lab/reference/compare-program.ts FILE [--root FOLDER]');
  process.exitCode = 2;
}
for (const path of positionals) {
  const compared = await compareRecording(path, values.root ?? process.cwd(), Number(values.threshold));
  const { samples, nodes, functions, culprits, differences } = compared;
  console.log(
    `${path}: ${samples} samples, ${nodes} nodes, ${functions} functions, ${culprits} culprits, ${differences.length} differences`,
  );
  for (const difference of differences.slice(0, 20)) console.log(difference);
  if (differences.length > 0) process.exitCode = 1;
}
