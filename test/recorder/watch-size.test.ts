import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { codeTracesFile } from '../../protocol/recording.ts';
import { watchSize } from '../../recorder/preload/profile/rotation.ts';

/** Whether a recording of 600 bytes is full at 1000, where V8's traces were of 5000 bytes, and are of so many now. */
function isFull(t: test.TestContext, tracedBytes: number, ofTiers: boolean): boolean {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-size-'));
  t.after(() => rmSync(folder, { recursive: true }));
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

test("V8's traces of deopts count to the size of a recording of tiers, as far as they have grown", (t) => {
  assert.equal(isFull(t, 5300, true), false);
  assert.equal(isFull(t, 5400, true), true);
  assert.equal(isFull(t, 5400, false), false);
});

test('traces that another recording has deleted meanwhile take nothing off', (t) => {
  assert.equal(isFull(t, 0, true), false);
});
