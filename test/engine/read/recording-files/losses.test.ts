import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { profileOf } from '../../../helpers/drawn-profile.ts';
import { hotspotsIn } from '../../../helpers/drawn-hotspots.ts';

const profile = JSON.stringify(profileOf([['parse'], ['parse']], [1, 1]));
const start = { type: 'start', isolate: '9-0-x', pid: 9, threadId: 0, argv: ['node', '/app/job.js'], execArgv: [] };

/** The warnings about process 9, which has told this after its start. */
async function warnings(events: readonly object[], files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { report } = await hotspotsIn({
    '/rec/recording.json': '{"endedAt":"2026-01-01T00:00:00.000Z"}',
    '/rec/events.jsonl': [start, ...events].map((event) => JSON.stringify(event)).join('\n'),
    '/rec/9-0-x.0.cpuprofile': profile,
    ...files,
  });
  return report.warnings.join('\n');
}

const reasons = {
  ENOSPC: /\(ENOSPC\): make room on the disk, and record again\.$/,
  EROFS: /\(EROFS\): its disk became read-only, so name another folder with --out, and/,
  EACCES: /\(EACCES\): its folder was closed to it/,
  ENOENT: /\(ENOENT\): its folder was deleted or hidden/,
  EMFILE: /\(EMFILE\): the program had too many files open/,
  EIO: /\(EIO\): see that the folder of the recording can be written to, and record again\.$/,
} as const satisfies Record<string, RegExp>;

for (const [reason, sentence] of Object.entries(reasons)) {
  test(`what could not be saved because of ${reason} is said with that, and with what helps`, async () => {
    assert.match(await warnings([{ type: 'lost', isolate: '9-0-x', reason }]), sentence);
  });
}

test('a process whose handler of uncaught errors may have thrown is not called killed alone', async () => {
  assert.match(
    await warnings([{ type: 'uncaught', isolate: '9-0-x' }]),
    /^Process 9 ended at once, by an error in its own handler of uncaught errors, or was killed or crashed: /,
  );
  assert.equal(
    await warnings([
      { type: 'uncaught', isolate: '9-0-x' },
      { type: 'end', isolate: '9-0-x', reason: 'exit' },
    ]),
    '',
  );
});

test('of a worker thread Node’s own profile counts, and where its process was killed, the parts written before', async () => {
  const worker = { ...start, isolate: '9-1-y', threadId: 1 };
  const kind = { type: 'worker', pid: 9, threadId: 1, kind: 'pool' };
  const part = { '/rec/9-1-y.0.cpuprofile': profile };
  const whole = { '/rec/CPU.20260101.101010.9.1.000.cpuprofile': profile };
  const sentence =
    /^1 worker thread of process 9 ended with it before the whole profile was written: the first 2\.5 s/m;
  assert.match(await warnings([worker, kind], part), sentence);
  assert.doesNotMatch(await warnings([worker, kind], { ...part, ...whole }), sentence);

  const events = [start, worker, kind].map((event) => JSON.stringify(event)).join('\n');
  const { report } = await hotspotsIn({ '/rec/recording.json': '{}', '/rec/events.jsonl': events, ...part, ...whole });
  assertEach(report.recording.files, ({ parts, samples }) => [parts, samples], [[1, 2]]);
});

test('a command that records itself is said, with where', async () => {
  assert.match(
    await warnings([
      { type: 'recordedInside', directory: '/in' },
      { type: 'end', isolate: '9-0-x', reason: 'exit' },
    ]),
    /^The command records itself, into \/in: analyze that \("hotspan analyze \/in"\)/,
  );
});
