import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { mock, test } from 'node:test';

// The recorder takes both clocks when it is loaded. Between its first two readings it loses the processor for 7 ms.
const hrtime = mock.method(process.hrtime, 'bigint', () => 5_000_000_000n);
const readings = [107, 100];
const performanceNow = mock.method(performance, 'now', () => readings.shift() ?? 100);
const { onRecordingClock } = await import('../../recorder/preload/host/host.ts');
for (const clock of [hrtime, performanceNow]) clock.mock.restore();

test("a recorder that lost the processor while it read its clocks has V8's time all the same", () => {
  assert.equal(onRecordingClock(100), 5_000_000);
});
