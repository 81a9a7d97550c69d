import { parentPort, workerData } from 'node:worker_threads';
import { isRecord, numberOf } from '../../protocol/json-value.ts';
import { type FailedCase, runCase } from './run-case.ts';

/** From the worker: which case begins, what was wrong with one, and that it has come to the end of its share. */
export type FuzzMessage =
  | { readonly type: 'begins'; readonly number: number }
  | { readonly type: 'failed'; readonly number: number; readonly failed: FailedCase };

/** Cases `first`, `first + step` … up to, not including, `end`. */
export interface FuzzShare {
  readonly seed: number;
  readonly first: number;
  readonly step: number;
  readonly end: number;
}

const given: unknown = workerData;
if (isRecord(given)) {
  const [seed, first, step, end] = ['seed', 'first', 'step', 'end'].map((key) => numberOf(given[key], 1));
  await runShare({ seed: seed ?? 1, first: first ?? 0, step: step ?? 1, end: end ?? 0 });
}

async function runShare({ seed, first, step, end }: FuzzShare): Promise<void> {
  for (let number = first; number < end; number += step) {
    tell({ type: 'begins', number });
    const failed = await runCase(seed, number);
    if (failed !== null) tell({ type: 'failed', number, failed });
  }
}

function tell(message: FuzzMessage): void {
  parentPort?.postMessage(message, []);
}
