import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { codeTracesFile } from '../../protocol/recording.ts';
import { watchSize } from '../../recorder/preload/profile/profiler.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** Whether a recording of 600 bytes is full at 1000, where V8's traces were of 5000 bytes, and are of so many now. */
function isFull(tracedBytes: number, ofTiers: boolean): boolean {
  const folder = temporaryProject({});
  const [directory, shim] = [path.join(folder, 'out'), path.join(folder, 'shim')];
  mkdirSync(directory);
  mkdirSync(path.dirname(path.join(shim, codeTracesFile)), { recursive: true });
  const trace = (bytes: number): void => writeFileSync(path.join(shim, codeTracesFile), '.'.repeat(bytes));
  trace(5000);
  const watch = watchSize({ directory, shim, ofTiers, mostBytes: 1000 });
  writeFileSync(path.join(directory, 'isolate.v8.log'), '.'.repeat(600));
  trace(tracedBytes);
  return watch();
}

test("V8's traces of deopts count to the size of a recording of tiers, as far as they have grown", () => {
  assert.equal(isFull(5300, true), false);
  assert.equal(isFull(5400, true), true);
  assert.equal(isFull(5400, false), false);
});

test('traces that another recording has deleted meanwhile take nothing off', () => {
  assert.equal(isFull(0, true), false);
});
