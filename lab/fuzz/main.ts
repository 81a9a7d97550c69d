import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { figure } from '../figure.mjs';
import { type FailedCase, wholeCase } from './run-case.ts';
import type { FuzzMessage, FuzzShare } from './worker.ts';

/** `npm run fuzz -- [--seed N] [--cases N] [--case N]`: sends made-up and damaged recordings through all of Hotspan. */

/**
 * In ms, with all that it is compared to and with its shrinking. Counted is the time of the processor: on a busy machine
 * a sound case may wait for long. What waits for nothing at all takes none, and has ten times as long by the clock.
 */
const longestCase = 30_000;
/** What one case may hold, many times over. */
const mostMegabytes = 1024;
const workers = 2;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '10000' },
    case: { type: 'string' },
  },
});
const [seed, cases] = [Number(values.seed), Number(values.cases)];
const only = values.case === undefined ? null : Number(values.case);
if (![seed, cases, only ?? 0].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('fuzz: --seed, --cases and --case want whole numbers.');
  process.exit(2);
}

const begun = performance.now();
const failures = only === null ? await runAll() : await runShare({ seed, first: only, step: 1, end: only + 1 });
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(`${only === null ? cases : 1} cases of seed ${seed} in ${seconds} s, ${failures} failed`);
figure('failed cases', failures);
process.exitCode = failures === 0 ? 0 : 1;

async function runAll(): Promise<number> {
  const shares = Array.from({ length: workers }, async (_, first) =>
    runShare({ seed, first, step: workers, end: cases }),
  );
  const counts = await Promise.all(shares);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How many failed. A worker that hangs or dies costs one case: another one goes on behind it. */
async function runShare(share: FuzzShare): Promise<number> {
  let failed = 0;
  let { first } = share;
  while (first < share.end) {
    const ended = await runWorker({ ...share, first });
    failed += ended.failures;
    if (ended.stoppedAt === null) break;
    failed++;
    report(ended.stoppedAt, { ...asMade(ended.stoppedAt), reason: ended.reason });
    first = ended.stoppedAt + share.step;
  }
  return failed;
}

interface EndedWorker {
  readonly failures: number;
  /** The case at which it hung or died; null where it came to its end. */
  readonly stoppedAt: number | null;
  readonly reason: string;
}

async function runWorker(share: FuzzShare): Promise<EndedWorker> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: share,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  let current = share.first;
  let failures = 0;
  let isLate = lateness();
  return new Promise((resolve) => {
    const stop = (reason: string): void => {
      clearInterval(timer);
      void worker.terminate();
      resolve({ failures, stoppedAt: current, reason });
    };
    const timer = setInterval(() => {
      if (isLate()) stop(`It takes more than ${longestCase / 1000} s.`);
    }, 1000);
    worker.on('message', (message: FuzzMessage) => {
      if (message.type === 'failed') {
        failures++;
        report(message.number, message.failed);
        return;
      }
      current = message.number;
      isLate = lateness();
      if (current % 1000 === 0 && current > 0) console.log(`${current} …`);
    });
    worker.on('error', (error) => stop(`The process ends: ${String(error)}`));
    worker.on('exit', () => {
      clearInterval(timer);
      resolve({ failures, stoppedAt: null, reason: '' });
    });
  });
}

/** Tells whether the case that begins now takes too long; of the processor, each worker is taken to have had its part. */
function lateness(): () => boolean {
  const begun = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 > longestCase * workers || performance.now() - begun > longestCase * 10;
  };
}

function asMade(number: number): FailedCase {
  const { files = {}, chunkSize = 0, threshold = 0 } = wholeCase(seed, number) ?? {};
  return { reason: '', files, facts: { chunkSize, threshold } };
}

/** Writes the case where it can be looked at, and says how to run it again. */
function report(number: number, { reason, files, facts }: FailedCase): void {
  const folder = path.join(tmpdir(), 'hotspan-fuzz', `${seed}-${number}`);
  for (const [file, bytes] of Object.entries(files)) {
    const written = path.join(folder, file);
    mkdirSync(path.dirname(written), { recursive: true });
    writeFileSync(written, bytes);
  }
  const again = `npm --prefix lab run fuzz -- --seed ${seed} --case ${number}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'case.txt'), `${again}\n${JSON.stringify(facts)}\n\n${reason}\n`);
  const where = reason.split('\n').find((line) => /\b(engine|cli|fuzz)\//.test(line)) ?? '';
  console.log(`\ncase ${number}: ${reason.split('\n')[0] ?? ''}\n${where}\n  ${again}\n  ${folder}`);
}
