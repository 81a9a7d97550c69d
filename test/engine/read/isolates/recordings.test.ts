import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { drawnStart, profileOf } from '../../../helpers/drawn-profile.ts';
import { hotspotsIn, hotspotsOfProfiles, ms, startLine, type DrawnHotspots } from '../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { failureIn } from '../../../helpers/analyzed.ts';

/** 1 ms a sample, from `start` (ms after the drawn start) on. */
function part(start: number, frames: readonly string[]): ReturnType<typeof profileOf> {
  const drawn = profileOf(frames.map((frame) => [frame]));
  return { ...drawn, startTime: drawn.startTime + start * 1000, endTime: drawn.endTime + start * 1000 };
}

const good = JSON.stringify(part(0, ['parse', 'parse', 'parse']));

const started = startLine('9-0-x', ['node', '/app/job.js']);
const ended = `${started}\n{"type":"end","isolate":"9-0-x","reason":"exit"}`;

/** A recording of process 9, with these events, and more files. */
const ofProcess9 = async (events: string, more: Readonly<Record<string, string>> = {}): Promise<DrawnHotspots> => {
  const files = { '/rec/recording.json': '{}', '/rec/events.jsonl': events, '/rec/9-0-x.0.cpuprofile': good };
  return hotspotsIn({ ...files, ...more });
};

test('rotated parts of one isolate are one stream; what overlaps counts once', async () => {
  const { report, worst } = await hotspotsIn({
    '/rec/recording.json': '{}',
    '/rec/7-0-x.10.cpuprofile': JSON.stringify(part(4, ['parse'])),
    '/rec/7-0-x.9.cpuprofile': JSON.stringify(part(1, ['parse', 'parse'])),
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(part(0, ['parse', 'parse'])),
  });
  assertEach(report.recording.files, ({ parts, samples, durationUs }) => [parts, samples, durationUs], [[3, 5, ms(5)]]);
  assert.equal(worst('parse'), ms(5), 'the last sample of a part lasts until the next part');
});

test('samples of a part before the last one of the part before it are dropped', async () => {
  const { report } = await hotspotsOfProfiles([part(0, ['a', 'a', 'a']), part(0, ['b', 'b', 'b', 'b'])]);
  assert.equal(report.functions.find(({ name }) => name === 'a')?.totalUs, ms(2));
  assert.equal(report.functions.find(({ name }) => name === 'b')?.totalUs, ms(2));
});

test('nobody has the time of a part that is missing', async () => {
  const { fn, operations } = await hotspotsOfProfiles([part(0, ['parse', 'parse', 'parse']), part(10_000, ['render'])]);
  assert.deepEqual([fn('parse').totalUs, fn('parse').worstUs], [ms(3), ms(3)]);
  assertEach(operations, ({ durationUs }) => durationUs, [ms(3), ms(1)]);
});

test('a profile whose copy has another name counts once, and that is said', async () => {
  const { report, fn } = await hotspotsIn({ '/rec/x.cpuprofile': good, '/rec/x (1).cpuprofile': good });
  assert.equal(fn('parse').longCount, 1);
  assert.deepEqual(report.warnings, ['x.cpuprofile is the same profile as x (1).cpuprofile, and counts once.']);
});

test('processes are told apart, their functions are not', async () => {
  const { report, fn } = await hotspotsIn({
    '/rec/recording.json': '{"cwd":"/app"}',
    '/rec/7-0-x.0.cpuprofile': good,
    '/rec/8-0-y.0.cpuprofile': good,
  });
  assertEach(report.recording.files, ({ pid }) => pid, [7, 8]);
  assert.equal(fn('parse').longCount, 2);
  assert.equal(fn('parse').worstUs, ms(3));
  assert.equal(fn('parse').totalUs, ms(6));
  assert.equal(fn('parse').worstWarmUs, ms(0), 'each is the first in its process');
});

test('of presences as long as each other the first in time is the worst, whichever process comes first', async () => {
  const { fn } = await hotspotsIn({
    '/rec/recording.json': '{"cwd":"/app"}',
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(part(9, ['parse', 'parse', 'parse'])),
    '/rec/8-0-y.0.cpuprofile': JSON.stringify({ ...part(0, ['parse']), endTime: drawnStart + 3000 }),
  });
  assert.deepEqual([fn('parse').worstUs, fn('parse').worstSamples], [ms(3), 1]);
});

test("a worker's profile, which Node writes, is joined with its turns by process and thread", async () => {
  const start = startLine('7-2-x', [], { nodeVersion: 'v22.1.0', at: 0 });
  const { report } = await hotspotsIn({
    '/rec/recording.json': '{}',
    '/rec/events.jsonl': `${start}\n{"type":"worker","pid":7,"threadId":2,"kind":"pool"}\n{"type":"wor`,
    '/rec/CPU.20260101.101010.7.2.000.cpuprofile': good,
    '/rec/7-2-x.turns.jsonl': '["turn",2050000,2052500,-1]\n["mark",2053000]\n["tur',
  });
  const [file] = report.recording.files;
  assert.deepEqual(
    [file?.threadKind, file?.nodeVersion, file?.turns, file?.ended],
    ['pool', 'v22.1.0', 'measured', 'killed'],
  );
  assert.equal(report.operations[0]?.durationUs, ms(2.5));
});

test('a damaged file among good ones is a warning', async () => {
  const { report, worst } = await hotspotsIn({ '/rec/a.cpuprofile': good, '/rec/b.cpuprofile': '{"nodes":' });
  assert.equal(worst('parse'), ms(3));
  assert.deepEqual(report.warnings, [
    'b.cpuprofile is cut off in the middle: the program ended while the profile was written, or it was not copied whole; copy it again or record again.',
  ]);
});

test('a process that was killed before it wrote a profile is said', async () => {
  const start = startLine('9-0-x', ['node', '/app/job.js', '--all']);
  const tool = startLine('8-0-x', ['node', '/app/node_modules/@swc/cli/bin/swc.js']);
  const { report } = await hotspotsIn({
    '/rec/recording.json': '{"notes":["vitest ran once."]}',
    '/rec/events.jsonl': `${start}\n${tool}\n${ended.replaceAll('9', '7')}`,
    '/rec/7-0-x.0.cpuprofile': good,
  });
  assert.deepEqual(report.warnings, [
    'vitest ran once.',
    'Process 9 (job.js --all) left no profile: it was killed or crashed, could not write at its end, or ran on after the command. Its time is missing, and perhaps a hotspot of yours.',
    'Process 8 (swc.js) left no profile: it was killed or crashed, could not write at its end, or ran on after the command. It ran @swc/cli, which is not your code: a hotspot of yours is missing only if it loaded your files.',
  ]);
});

test('a recording that is not over may be of a process that still runs', async () => {
  const { report } = await ofProcess9(startLine('9-0-x'), { '/rec/recording.json': '{"endedAt":null}' });
  const said = /^Process 9 is still running, or was killed or crashed: its last 10 s may be missing/;
  assert.match(report.warnings.join(), said);
});

const full = `${started}\n{"type":"lost","isolate":"9-0-x","reason":"ENOSPC"}`;
const fullSentence = 'Process 9 could not save all that it recorded (ENOSPC): make room on the disk, and record again.';

test('a process whose disk was full is said, and not called killed', async () => {
  const { report } = await ofProcess9(full);
  assert.deepEqual(report.warnings, [fullSentence]);
  const unknown = await ofProcess9(full.replace('ENOSPC', '__proto__'));
  assert.match(unknown.report.warnings.join(), /\(__proto__\): see that the folder of the recording can be written to/);
});

const left = '{"type":"leaves","isolate":"9-0-x","by":"setuid"}';

test('a process that went on as another user is said, and not called killed', async () => {
  const warnings = async (events: string): Promise<string> => {
    const manifest = '{"endedAt":"2026-01-01T00:00:00.000Z"}';
    const { report } = await ofProcess9(`${started}\n${events}`, { '/rec/recording.json': manifest });
    return report.warnings.join('\n');
  };
  const said = /^Process 9 \(job\.js\) went on as another user \(process\.setuid\).* from the start\.$/;
  assert.match(await warnings(left), said);
  assert.match(await warnings(`${left}\n{"type":"stays","isolate":"9-0-x"}`), /^Process 9 was killed/);
});

test('a worker of which nobody said whose it is was started by the program', async () => {
  const { report } = await hotspotsIn({
    '/rec/recording.json': '{}',
    '/rec/CPU.20260101.101010.7.3.000.cpuprofile': good,
  });
  assert.equal(report.recording.files[0]?.threadKind, 'background');
});

test('a plain worker beside its main thread blocks nobody, unless a runner works in it', async () => {
  const kinds = async (worker: string): Promise<unknown> => {
    const { report } = await hotspotsIn({
      '/rec/CPU.20260101.101010.7.0.000.cpuprofile': good,
      '/rec/CPU.20260101.101010.7.1.000.cpuprofile': JSON.stringify(part(0, [worker])),
    });
    return report.recording.files.map(({ threadKind }) => threadKind);
  };
  assert.deepEqual(await kinds('parse'), ['main', 'background']);
  assert.deepEqual(await kinds('vitest#run'), ['main', 'pool']);
});

const failures: readonly (readonly [what: string, files: Readonly<Record<string, string>>, sentence: RegExp])[] = [
  ['nothing at the path', {}, /^\/rec is not there, may not be read, or is not a plain file: give a recording folder/],
  ['a folder without profiles', { '/rec/readme.txt': '' }, /^\/rec holds no CPU profile: give a/],
  ['a recording without profiles', { '/rec/recording.json': '{}' }, /^\/rec holds no CPU profile: no Node\.js program/],
  [
    'a recording of another user',
    { '/rec/recording.json': '{"command":["sh","-c","exec gosu node node app.js"]}' },
    /^\/rec holds no CPU profile\. No Node\.js program ran, or gosu ran it as another user/,
  ],
  [
    'a recording that was lost',
    { '/rec/recording.json': '{"notes":["vitest ran once."]}', '/rec/events.jsonl': full },
    /^\/rec holds no CPU profile\. Process 9 could not save all .*record again\.$/,
  ],
  ['one damaged file', { '/rec/a.cpuprofile': '' }, /^a\.cpuprofile is empty/],
  [
    'two damaged files',
    { '/rec/a.cpuprofile': '', '/rec/b.cpuprofile': '[]' },
    /is empty.*The other file cannot be read either\.$/,
  ],
];

for (const [what, files, sentence] of failures) {
  test(`${what} is said in a sentence`, async () => {
    assert.match(await failureIn(memoryWorld(files)), sentence);
  });
}

test('a process whose profile was not copied with the rest is said', async () => {
  const { report } = await hotspotsIn({
    '/rec/recording.json': '{}',
    '/rec/events.jsonl': `${ended}\n${ended.replaceAll('9', '7')}`,
    '/rec/7-0-x.0.cpuprofile': good,
    '/rec/9-0-x.turns.jsonl': '',
  });
  assert.deepEqual(report.warnings, [
    'The profile of process 9 (job.js) is missing: copy the whole folder of the recording.',
  ]);
});

test('of a process whose turns were lost, as their file is empty, operations are inferred', async () => {
  const { fn } = await ofProcess9(ended, { '/rec/9-0-x.turns.jsonl': '' });
  assert.deepEqual([fn('parse').longCount, fn('parse').estimated], [1, true]);
});

test('the files of another recording in the folder are added up, and said', async () => {
  const others = { '/rec/7-0-y.0.cpuprofile': good, '/rec/9-0-y.0.cpuprofile': good };
  const { report, fn } = await ofProcess9(ended, others);
  assert.equal(report.recording.files.length, 3, 'a pid that stands in both is two processes');
  assert.equal(fn('parse').totalUs, ms(9));
  assert.deepEqual(report.warnings, ['Process 7 in /rec is of another recording: what they count is added up.']);
});
