// `npm test` (`--all`: `npm run test:all`) as a whole, for `npm run nightly`: one run on the machine as it is, then
// `--runs N` beside `--spinners N` processes that never rest. No run is repeated, and each draws new cases.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { beside } from '../bench/busy/spinners.ts';
import { figure } from '../figure.mjs';
import { projectRoot } from '../../test/helpers/project.ts';

/** A run that takes longer hangs, in minutes: some ten times what a run beside spinners takes. */
const limitMinutes = 180;

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    runs: { type: 'string', default: '0' },
    spinners: { type: 'string', default: '0' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const quiet = await run();
if (values.runs === '0') {
  figure('failed tests', quiet.failed);
  figure('wall time', quiet.wall);
  figure('CPU time', quiet.cpu);
} else {
  const runs: Run[] = [];
  await beside(Number(values.spinners), async () => {
    while (runs.length < Number(values.runs)) runs.push(await run());
  });
  figure('red runs', runs.filter(({ failed }) => failed > 0).length);
  figure('slowest run to a quiet one', Math.max(...runs.map(({ wall }) => wall)) / quiet.wall);
}

interface Run {
  /** Of its tests; 1 where it did not say so. */
  readonly failed: number;
  /** In s, from start to end. */
  readonly wall: number;
  /** In s, of all processes that were waited for, user and system: what `/usr/bin/time` says. */
  readonly cpu: number;
}

/** The shell's `times` gives the CPU time of the processes that it has waited for, and of what these have. */
async function run(): Promise<Run> {
  const start = performance.now();
  const seed = String(randomInt(2 ** 31));
  process.stdout.write(`SEED=${seed}\n`);
  const words = [process.execPath, 'scripts/test.mjs', ...(values.all ? ['--all'] : [])];
  const child = spawn('sh', ['-c', '"$@"; times', 'sh', ...words], {
    cwd: projectRoot,
    env: { ...process.env, HOTSPAN_FIGURES: undefined, SEED: seed },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitMinutes * 60_000,
  });
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk);
    chunks.push(chunk);
  });
  await once(child, 'close');
  const output = chunks.join('');
  const failed = Number(/^\d+ passed, (\d+) failed$/m.exec(output)?.[1] ?? 1);
  const times = output.trim().split('\n').at(-1) ?? '';
  const cpu = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return { failed, wall: (performance.now() - start) / 1000, cpu: cpu.reduce((sum, part) => sum + part, 0) };
}
