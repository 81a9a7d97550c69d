import { milliseconds } from '../../protocol/units.ts';
import type { Run } from '../../recorder/preload/host/run.ts';

/** What the recorder knows of a thread that it profiles, in which a sample is taken each ms. */
export function threadRun(facts: Pick<Run, 'directory' | 'isolate'>): Run {
  return {
    ...{ ...facts, intervalUs: milliseconds(1), mostBytes: Infinity, cwd: '', shim: '' },
    ...{ ofTiers: false, evaluated: false, isBackground: false },
  };
}
