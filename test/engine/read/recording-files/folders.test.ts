import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { hotspotsIn, ms } from '../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { analyzedIn, failureIn } from '../../../helpers/analyzed.ts';

const good = JSON.stringify(drawProfile('parse parse parse'));

test("a folder's profiles are one recording; the other files in it are left out, and said", async () => {
  const { report, fn } = await hotspotsIn({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': good,
    '/rec/CPU.20260101.101010.8.0.001.cpuprofile': good,
    '/rec/a.log': '',
    '/rec/b.heapprofile': '',
  });
  assertEach(report.recording.files, ({ pid, threadId, threadKind }) => [pid, threadId, threadKind], [
    [7, 0, 'main'],
    [8, 0, 'main'],
  ]);
  assert.deepEqual([fn('parse').totalUs, fn('parse').worstUs, fn('parse').longCount], [ms(6), ms(3), 2]);
  assert.deepEqual(report.warnings, ['2 other files in /rec left out: a.log, b.heapprofile.']);
});

test('a profile beside its packed copy counts once', async () => {
  const { report } = await hotspotsIn({ '/rec/a.cpuprofile': good, '/rec/a.cpuprofile.gz': 'the same, packed' });
  assertEach(report.recording.files, ({ path }) => path, ['/rec/a.cpuprofile']);
});

test('what a job left in folders below is read, each folder with its own processes', async () => {
  const { report } = await hotspotsIn({
    '/rec/shard-1/CPU.20260101.101010.7.0.001.cpuprofile': good,
    '/rec/shard-2/deep/CPU.20260101.101010.7.1.001.cpuprofile': good,
    '/rec/shard-3/recording.json': '{"cwd":"/app"}',
    '/rec/shard-3/7-0-x.0.cpuprofile': good,
    '/rec/shard-3/7-0-x.1.cpuprofile': good,
    '/rec/shard-4/empty.txt': '',
    '/rec/node_modules/a/a.cpuprofile': good,
    '/rec/.cache/a.cpuprofile': good,
  });
  assertEach(
    report.recording.files,
    ({ path, parts, threadKind }) => [path.split('/')[2], parts, threadKind],
    [
      ['shard-1', 1, 'main'],
      ['shard-3', 2, 'main'],
      ['shard-2', 1, 'main'],
    ],
    'pid 7 of one shard is not pid 7 of another',
  );
  assert.deepEqual(report.warnings, ['3 profiles of 3 folders below /rec were read.']);
});

const emptyHanded: readonly (readonly [what: string, files: Readonly<Record<string, string>>, sentence: RegExp])[] = [
  [
    'of files of another kind',
    { '/rec/heap.json': '{"snapshot":{"meta":{}}}' },
    /^\/rec holds no CPU profile: heap\.json is a heap snapshot.*\.$/,
  ],
  ['of unknown files', { '/rec/a.txt': 'hello' }, /^\/rec holds no CPU profile: give a recording folder/],
  [
    'of folders without profiles',
    { '/rec/a/b/c.txt': 'hello' },
    /^\/rec holds no CPU profile: give a recording folder/,
  ],
];

for (const [what, files, sentence] of emptyHanded) {
  test(`a folder ${what} is said in a sentence`, async () => {
    assert.match(await failureIn(memoryWorld(files)), sentence);
  });
}

test('of very many folders the first ones are looked through, and said', async () => {
  const files = Array.from(
    { length: 600 },
    (_, number) => [`/rec/${number + 1000}/CPU.20260101.101010.${number}.0.001.cpuprofile`, good] as const,
  );
  const { report } = await hotspotsIn(Object.fromEntries(files));
  assert.equal(report.recording.files.length, 500);
  assert.match(report.warnings.join('\n'), /Only the first 500 folders below \/rec were searched: give the one/);
});

const samePid = {
  '/rec/CPU.20260101.101010.7.0.001.cpuprofile': good,
  '/rec/CPU.20260101.101010.7.1.002.cpuprofile': good,
};

test('files that are named one by one are one recording, as their folder is', async () => {
  const kinds = async (paths: readonly string[]): Promise<unknown> => {
    const { analysis } = await analyzedIn(memoryWorld(samePid), { thresholdUs: ms(2) }, paths);
    return analysis.streams.map(({ isolate }) => isolate.threadKind);
  };
  assert.deepEqual(await kinds(Object.keys(samePid)), ['main', 'background']);
  assert.deepEqual(await kinds(['/rec']), ['main', 'background']);
  assert.deepEqual(await kinds(['/rec', ...Object.keys(samePid)]), ['main', 'background']);
});

test('rotated parts that were copied without the rest of the recording are one isolate', async () => {
  const { report, fn } = await hotspotsIn({ '/rec/7-0-x.1.cpuprofile': good, '/rec/7-0-x.0.cpuprofile': good });
  assertEach(report.recording.files, ({ path, parts }) => [path, parts], [['/rec/7-0-x.0.cpuprofile', 2]]);
  assert.equal(fn('parse').totalUs, ms(3), 'the second one holds the same samples');
});
