import { plural } from '../../protocol/figures.ts';
import type { LoadedIsolate } from './load-isolate.ts';

/** A sentence where tests ran at the same time, so that nobody knows which of them had the thread. */
export function untoldTests(isolates: readonly LoadedIsolate[]): readonly string[] {
  const files = new Set(isolates.flatMap(({ tests }) => [...(tests?.untold ?? [])]));
  return files.size === 0
    ? []
    : [`Tests of ${plural(files.size, 'file')} ran at the same time (concurrent): operations meanwhile name no test.`];
}
