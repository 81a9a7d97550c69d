import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { drawLog } from '../../../helpers/drawn-log.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { hotspotsIn, ms } from '../../../helpers/drawn-hotspots.ts';

/** A profile of 3 ms that begins so many seconds after the drawn start. */
function profileAt(seconds: number): string {
  const drawn = drawProfile('parse parse parse');
  return JSON.stringify({
    ...drawn,
    startTime: drawn.startTime + seconds * 1e6,
    endTime: drawn.endTime + seconds * 1e6,
  });
}

async function warningsOf(files: Readonly<Record<string, string>>): Promise<string> {
  const { report, fn } = await hotspotsIn(files);
  assert.equal(fn('parse').totalUs, ms(3 * report.recording.files.length), 'all are added up');
  return report.warnings.join('\n');
}

test('processes that work together, or one right after the other, are one run', async () => {
  const warnings = await warningsOf({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': profileAt(0),
    '/rec/CPU.20260101.101010.7.1.002.cpuprofile': profileAt(0),
    '/rec/CPU.20260101.101012.8.0.001.cpuprofile': profileAt(2),
  });
  assert.equal(warnings, '');
});

test('the profiles of a second run beside those of the first are added up, and said', async () => {
  const warnings = await warningsOf({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': profileAt(0),
    '/rec/CPU.20260101.101110.7.0.001.cpuprofile': profileAt(60),
  });
  assert.match(
    warnings,
    /^These profiles are of 2 runs .*\(2026-01-01 10:10:10 to 2026-01-01 10:11:10\): .* added up\./,
  );
});

test('profiles of two machines are told by their clocks', async () => {
  const warnings = await warningsOf({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': profileAt(0),
    '/rec/CPU.20260101.151010.7.0.001.cpuprofile': profileAt(1),
  });
  assert.match(warnings, /^These profiles are of 2 runs or machines/);
});

test('a recording is one run, however long it rests', async () => {
  const files = {
    '/rec/recording.json': '{}',
    '/rec/7-0-x.0.cpuprofile': profileAt(0),
    '/rec/8-0-x.0.cpuprofile': profileAt(60),
  };
  assert.equal(await warningsOf(files), '');
});

test('a process without samples is there', async () => {
  const { report, fn } = await hotspotsIn({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': profileAt(0),
    '/rec/CPU.20260101.101010.8.0.001.cpuprofile': JSON.stringify({ ...drawProfile('a'), samples: [], timeDeltas: [] }),
  });
  assertEach(report.recording.files, ({ pid, samples, durationUs }) => [pid, samples, durationUs], [
    [7, 3, ms(3)],
    [8, 0, 0],
  ]);
  assert.match(report.warnings.join('\n'), /^CPU\.20260101\.101010\.8\.0\.001\.cpuprofile holds no samples/);
  assert.equal(fn('parse').totalUs, ms(3));
});

test('V8 logs side by side are said to have no clock in common; one alone needs none', async () => {
  const log = drawLog('~ work 1000 100\ntick 1010\ntick 1010');
  const { report: alone } = await hotspotsIn({ '/rec/isolate-0x1-7-v8.log': log });
  assert.deepEqual(alone.warnings, []);
  const { report: both } = await hotspotsIn({ '/rec/isolate-0x1-7-v8.log': log, '/rec/isolate-0x2-8-v8.log': log });
  assert.match(both.warnings.join('\n'), /^2 V8 logs have no clock in common: /);
});
