// Blocks of equal work beside as many spinning processes as there are processors twice over: how long they are shown, to how
// long they take alone, and whether those that are shown half as long again say "≈". `node bench/busy-machine.ts [NODE'S FILE]`,
// after a build.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { analyze } from '../engine/analyze.ts';
import { describeFailure } from '../engine/analyze-failure.ts';
import { nodeWorld } from '../node-world/node-world.ts';
import { defaultIntervalUs } from '../protocol/recording.ts';
import { milliseconds } from '../protocol/units.ts';
import { record } from '../recorder/launch/record.ts';

const node = path.resolve(process.argv[2] ?? process.execPath);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const program = path.join(folder, 'program.js');

/** Thirty blocks of equal work, some 15 ms each on a quiet machine. */
writeFileSync(
  program,
  `
  function block() { let sum = 0; for (let step = 0; step < 1e7; step++) sum = Math.sqrt(sum + step); return sum; }
  let blocks = 0;
  const next = () => { block(); if (++blocks < 30) setTimeout(next, 5); };
  setTimeout(next, 50);
  `,
);

interface Block {
  readonly ms: number;
  readonly isDoubted: boolean;
}

const spinners: readonly ChildProcess[] = Array.from({ length: 2 * os.availableParallelism() }, () =>
  spawn(process.execPath, ['-e', 'const end = Date.now() + 60_000; while (Date.now() < end);'], { stdio: 'ignore' }),
);
const beside = await blocksOf('busy');
for (const spinner of spinners) spinner.kill('SIGKILL');
const alone = await blocksOf('quiet');
rmSync(folder, { recursive: true });

// The least: of what else runs on this machine nobody knows.
const usual = Math.min(...alone.map(({ ms }) => ms));
const tooLong = beside.filter(({ ms }) => ms > 1.5 * usual);
console.log(
  `${beside.length} blocks, alone ${usual.toFixed(1)} ms; beside ${spinners.length} spinners ${range(beside)} ms`,
);
console.log(
  `shown over 1.5 × too long: ${tooLong.length}, without ≈: ${tooLong.filter(({ isDoubted }) => !isDoubted).length}`,
);

async function blocksOf(name: string): Promise<readonly Block[]> {
  const out = path.join(folder, name);
  const outcome = await record({
    command: [node, program],
    kind: 'profile',
    cwd: folder,
    env: process.env,
    intervalUs: defaultIntervalUs,
    out,
    recorderFile: path.join(import.meta.dirname, '../dist/recorder.cjs'),
    recorderHomes: [{ folder, isShared: false }],
    hotspanVersion: '0.0.0',
    mostBytes: null,
    notes: [],
  });
  if (outcome.type !== 'ended') throw new Error(outcome.message);
  const result = await analyze([out], nodeWorld, { thresholdUs: milliseconds(10), roots: [folder], sourceMaps: false });
  if (result.type === 'failed') throw new Error(describeFailure(result.failure));
  const { analysis } = result;
  const { id } = analysis.functions.functions.find((fn) => fn.name === 'block') ?? { id: -1 };
  return analysis.ownParts
    .filter(({ functionId }) => functionId === id)
    .map(({ weight, estimated }) => ({ ms: weight / 1000, isDoubted: estimated }));
}

function range(blocks: readonly Block[]): string {
  const times = blocks.map(({ ms }) => ms);
  return `${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)}`;
}
