import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reportOf } from '../../../../show/report/report.ts';
import { detailsOf, stacksOf } from '../../../../language-server/queries/function-details.ts';
import { hotspotsOf } from '../../../../language-server/queries/hotspots.ts';
import { lineFigures, upTo } from '../../../../words/formats/figures.ts';
import { blamesByName } from '../../../../words/summary.ts';
import { assertEach } from '../../../helpers/assert-each.ts';
import { ms } from '../../../helpers/drawn-hotspots.ts';
import { drawnStart } from '../../../helpers/drawn-profile.ts';
import { type DrawnRun, drawnRuns, severalOf } from '../../../helpers/drawn-runs.ts';
import { schemaErrors } from '../../../helpers/report-schema.ts';

describe('several runs of one thing', () => {
  test('show the median, the range, and how many they are', async () => {
    const { fn, several } = await drawnRuns([
      { held: 'parse 44 parse 20 parse 30' },
      { held: 'parse 41 parse 20 parse 30 parse 12' },
      { held: 'parse 43 parse 20 parse 30' },
    ]);
    const parse = fn('parse');
    assert.equal(lineFigures(parse, ms(10)), '41–44 ms worst, 3 runs · 3–4 × >10 ms · 1 stack');
    assert.deepEqual([parse.worstUs, parse.longCount], [ms(43), 3]);
    assert.deepEqual(parse.runs?.worstUs, [ms(44), ms(41), ms(43)]);
    assert.deepEqual([several.takenFor, several.why, several.middle], ['runs', 'sameCommand', 2]);
  });

  test('say in how many of them a function is over the threshold; it comes after those that always are', async () => {
    const { fn, names } = await drawnRuns([
      { held: 'total 20 total 20' },
      { held: 'total 21 total 20 spike 88' },
      { held: 'total 22 total 20' },
      { held: 'total 23 total 20 spike 43' },
      { held: 'total 24 total 20 spike 5' },
    ]);
    assert.equal(lineFigures(fn('spike'), ms(10)), '43–88 ms worst, in 2 of 5 runs · 1 × >10 ms · 1 stack');
    assert.deepEqual(fn('spike').runs?.worstUs, [null, ms(88), null, ms(43), null]);
    assert.deepEqual(names, ['total', 'spike']);
  });

  test('have lines, operations of the run in the middle, and JSON that the schema describes', async () => {
    const { analysis } = await drawnRuns([{ held: 'parse 50' }, { held: 'parse 20 other 12' }, { held: 'parse 30' }]);
    const report = reportOf(analysis, 'long');
    assert.deepEqual(schemaErrors(JSON.parse(JSON.stringify(report))), []);
    assert.deepEqual(report.several, {
      takenFor: 'runs',
      sentence:
        '3 recordings are runs of one thing: the command is the same (--shards counts them together). Figures are medians, with the range of the runs; operations, flamegraph, event loop and routes are of /runs/3.',
      recordings: ['/runs/1', '/runs/2', '/runs/3'],
      middle: '/runs/3',
      leftOut: [],
    });
    assertEach(report.operations, ({ durationUs }) => durationUs, [ms(30)]);
    const parse = report.functions.find(({ name }) => name === 'parse');
    assert.deepEqual([parse?.worstUs, parse?.totalUs, parse?.culprit?.worstUs], [ms(30), ms(30), ms(30)]);
    assert.deepEqual(parse?.culprit?.runs, {
      worstUs: [ms(50), ms(20), ms(30)],
      longCount: [1, 1, 1],
      distinctStacks: [1, 1, 1],
    });
    assert.equal(report.functions.find(({ name }) => name === 'other')?.totalUs, ms(12), 'also what only one run has');
    assertEach(report.lines, ({ runs }) => runs?.worstUs, [
      [ms(50), ms(20), ms(30)],
      [null, ms(12), null],
    ]);
  });
});

describe('of several runs', () => {
  test('a function that only another run than the one in the middle has can be asked about, too', async () => {
    const { analysis, fn } = await drawnRuns([
      { held: 'parse 50 spike 20' },
      { held: 'parse 20' },
      { held: 'parse 30' },
    ]);
    const { functionId } = fn('spike');
    assert.equal(analysis.several?.middle, 2);
    const [item] =
      hotspotsOf(analysis, ['/app'], { groupBy: 'function', sortBy: 'worst' }, 'total')[0]?.items.slice(1) ?? [];
    assert.equal(item?.tooltip.split('\n')[1], '20 ms total · 20 ms worst, in 1 of 3 runs');
    assert.equal(item?.figure, '20 ms');
    assert.match(item?.description ?? '', /^20 ms worst, in 1 of 3 runs · app\.ts:\d+$/);
    assert.deepEqual(stacksOf(analysis, functionId, 5), []);
    assert.equal(detailsOf(analysis, functionId)?.presenceUs, ms(20));
  });

  test('what held the loop with no function to blame has its range, too', async () => {
    const { analysis } = await drawnRuns([{ held: 'bcryptjs#hash 20' }, { held: 'bcryptjs#hash 24 bcryptjs#hash 11' }]);
    assertEach(blamesByName(analysis), (blame) => upTo(blame), ['up to 20–24 ms (1–2 ×, 2 runs)']);
    assertEach(analysis.packages, ({ name, worst, runs }) => [name, worst, runs?.worstUs], [
      ['bcryptjs', ms(22), [ms(20), ms(24)]],
    ]);
  });

  test('figures are judged again at another threshold', async () => {
    const result = await severalOf([{ held: 'parse 50' }, { held: 'parse 30' }]);
    const later = result.type === 'analyzed' ? await result.at(ms(40)) : assert.fail();
    const parse = later.functions.functions.findIndex(({ name }) => name === 'parse');
    assert.deepEqual(later.figures[parse]?.culprit?.runs?.worstUs, [ms(50), null]);
  });

  test('the run whose operations are shown stays the same at another threshold', async () => {
    const result = await severalOf([
      { held: 'parse 50' },
      { held: 'parse 30 check 12 check 12' },
      { held: 'parse 20 check 15' },
    ]);
    assert.ok(result.type === 'analyzed');
    assert.equal(result.analysis.several?.middle, 1);
    assert.equal((await result.at(ms(60))).several?.middle, 1);
  });

  test('how busy the machine was is said once, of all together', async () => {
    const busy = (waited: number): DrawnRun => ({
      held: 'parse 40',
      turns: [],
      turnLines: [['turn', drawnStart, drawnStart + ms(40), ms(40 - waited), 0, ms(waited)]],
    });
    const { warnings } = await drawnRuns([busy(20), busy(30), { held: 'parse 20' }]);
    const said = warnings.filter((text) => text.startsWith('The machine was busy'));
    assert.deepEqual(said.length, 1, warnings.join('\n'));
    assert.match(said[0] ?? '', /the processor was yours 38 % of the time/);
  });
});

describe('what recordings are taken for', () => {
  const app = { held: 'parse 20' };
  const command = (...words: readonly string[]) => ({ ...app, manifest: { command: words } });
  const takenFor = async (...runs: Parameters<typeof drawnRuns>[0]): Promise<readonly string[]> => {
    const { several } = await drawnRuns(runs);
    return [several.takenFor, several.why];
  };

  test('runs: one command, and the same test files', async () => {
    const tests = ['/app/a.test.js', '/app/b.test.js'];
    assert.deepEqual(await takenFor({ ...app, testFiles: tests }, { ...app, testFiles: tests.toReversed() }), [
      'runs',
      'sameTests',
    ]);
    const seeded = await takenFor(command('jest', '--seed=1'), command('jest', '--seed=2'));
    assert.deepEqual(seeded, ['runs', 'sameCommand'], 'a seed is another in each run');
  });

  test('shards: other test files, another command or folder, or options that say so', async () => {
    const [a, b] = [
      { ...app, testFiles: ['/app/a.test.js'] },
      { ...app, testFiles: ['/app/b.test.js'] },
    ];
    assert.deepEqual(await takenFor(a, b), ['shards', 'otherTests']);
    assert.deepEqual(await takenFor(command('npm', 'test'), command('npm', 'start')), ['shards', 'otherCommand']);
    assert.deepEqual(await takenFor(app, { ...app, manifest: { cwd: '/app/other' } }), ['shards', 'otherFolder']);
    for (const option of ['--shard=', '--shard ', '--test-shard='])
      assert.deepEqual(
        await takenFor(command('node', `x ${option}1/2`), command('node', `x ${option}2/2`)),
        ['shards', 'shardOptions'],
        option,
      );
    assert.deepEqual(await takenFor(command('jest', '--shard=1/2'), command('jest', '--shard=1/2')), [
      'runs',
      'sameCommand',
    ]);
  });

  test('what cannot be told counts together, as it always did', async () => {
    const some = { ...app, testFiles: ['/app/a.test.js', '/app/b.test.js'] };
    assert.deepEqual(await takenFor(some, { ...app, testFiles: ['/app/a.test.js'] }), ['shards', 'unknown']);
    assert.deepEqual(await takenFor(app, { ...app, manifest: { command: undefined } }), ['shards', 'unknown']);
  });

  test('a person may say otherwise', async () => {
    const asRuns = await drawnRuns([command('npm', 'test'), command('npm', 'start')], 'runs');
    assert.deepEqual([asRuns.fn('parse').longCount, asRuns.several.why], [1, 'asked']);
    const asShards = await drawnRuns([app, app], 'shards');
    assert.deepEqual([asShards.fn('parse').longCount, asShards.fn('parse').runs], [2, undefined]);
  });
});

describe('recordings that are given twice', () => {
  test('count once: the same path, and a copy', async () => {
    const [first, second] = [{ held: 'parse 20' }, { held: 'parse 30' }];
    const copy = { ...first, manifest: { startedAt: '2026-01-01T00:00:00.000Z' } };
    const { several, warnings } = await drawnRuns([first, second, copy], null, [
      '/runs/1',
      '/runs/2',
      '/runs/3',
      '/runs/2',
    ]);
    assert.deepEqual(several.paths, ['/runs/1', '/runs/2']);
    assert.deepEqual(warnings, [
      '/runs/3 is the same recording as /runs/1, and counts once.',
      '/runs/2 was given twice and counts once.',
    ]);
  });

  test('where only one is left, it is shown by itself', async () => {
    const { fn, warnings } = await drawnRuns([{ held: 'parse 20' }], null, ['/runs/1', '/runs/1']);
    assert.equal(lineFigures(fn('parse'), ms(10)), '20 ms worst · 1 × >10 ms · 1 stack');
    assert.deepEqual(warnings, ['/runs/1 was given twice and counts once.']);
  });
});

describe('runs that are not quite of one thing', () => {
  test('one that cannot be read is left out, and said', async () => {
    const good = { held: 'parse 20' };
    const broken = { held: 'parse 20', files: { '/runs/3/7-0-x.0.cpuprofile': '{' } };
    const { fn, several, warnings } = await drawnRuns([good, good, broken, good, good]);
    assert.equal(fn('parse').runs?.worstUs.length, 4);
    assertEach(several.leftOut, ({ path }) => path, ['/runs/3']);
    assert.match(warnings[0] ?? '', /^\/runs\/3 is left out, so there are 4 runs: /);
  });

  test('different versions of Node.js are said', async () => {
    const { warnings } = await drawnRuns([{ held: 'parse 20' }, { held: 'parse 20', nodeVersion: 'v24.0.0' }]);
    assert.match(warnings.join('\n'), /^The runs are of different versions of Node\.js \(v20\.0\.0, v24\.0\.0\)/m);
  });

  test('none of them can be read', async () => {
    const broken = {
      held: 'parse 20',
      files: { '/runs/1/7-0-x.0.cpuprofile': '{', '/runs/2/7-0-x.0.cpuprofile': '{' },
    };
    assert.equal((await severalOf([broken, broken])).type, 'failed');
  });
});
