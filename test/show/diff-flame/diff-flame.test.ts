import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nameOfDiff, diffNamed } from '../../../protocol/diff.ts';
import type { FrameChange } from '../../../protocol/diff.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { frameNamed, frames } from '../flame/frames.ts';
import { diffOf, drawnDiff, resultOf } from '../../helpers/drawn-diff.ts';

const all = { leastShare: 0 };

describe('times', () => {
  test('are ms of one run, however many runs a side has, as wide as now or as before', async () => {
    const base = ['ms 10 30\nmain main\nparse clone', 'ms 20 30\nmain main\nparse clone'];
    const { flame } = await diffOf(base, ['ms 15 12\nmain main\nparse clone']);
    assert.deepEqual(drawnDiff(flame.answer(all)), [
      'all 27 45→27 none',
      '  main 27 45→27 none',
      '    parse 15 15→15 none',
      '    clone 12 30→12 faster',
    ]);
    assert.deepEqual(drawnDiff(flame.answer({ ...all, side: 'before' })), [
      'all 45 45→27 none',
      '  main 45 45→27 none',
      '    clone 30 30→12 faster',
      '    parse 15 15→15 none',
    ]);
    const { diff } = flame.answer(all);
    assert.deepEqual(diff?.was, { runs: 2, count: 2, estimated: false, totalUs: 45_000 });
    assert.deepEqual(diff.is, { runs: 1, count: 1, estimated: false, totalUs: 27_000 });
  });

  test('of a function are ms of one of its operations, with all that it calls and with its callers, and nothing else', async () => {
    const turns = '0-10 20-30 40-60';
    // Two operations of clone before, of 4 and 8 ms; one now, of 3 ms. The third turn is never in it.
    const base = 'ms 6 4 10 2 8 10 20\nmain main (idle) main main (idle) main\nread clone . read clone . read';
    const head = 'ms 7 3 10 10 10 20\nmain main (idle) main (idle) main\nread clone . read . read';
    const { flame, idOf } = await diffOf([{ profile: base, turns }], [{ profile: head, turns }]);
    const answer = flame.answer({ ...all, perOperationOf: idOf('clone') });
    assert.deepEqual(drawnDiff(answer), ['all 3 6→3 faster', '  main 3 6→3 faster', '    clone 3 6→3 faster']);
    assert.deepEqual(answer.diff?.of, { functionId: idOf('clone'), name: 'clone' });
    assert.deepEqual([answer.diff?.was.count, answer.diff?.is.count], [2, 1]);
    assert.equal(answer.diff?.was.estimated, false);
  });

  test('of operations that were inferred say that their number is an estimate', async () => {
    const { flame, idOf } = await diffOf(['a a'], ['a a']);
    assert.equal(flame.answer({ ...all, perOperationOf: idOf('a') }).diff?.is.estimated, true);
  });

  test('of a function that does not run now are none now, and do not divide by nothing', async () => {
    const { flame, idOf } = await diffOf(['ms 30\nclone'], ['ms 5\nparse']);
    const answer = flame.answer({ ...all, perOperationOf: idOf('clone') });
    assert.equal(answer.totalUs, 0);
    assert.deepEqual([answer.diff?.was.totalUs, answer.diff?.is.count], [30_000, 0]);
  });

  test('have the range of the runs of each side', async () => {
    const run = (ms: number): string => `ms ${ms}\nclone`;
    const { flame } = await diffOf([30, 40, 35].map(run), [10, 12, 11].map(run));
    const { was, is, change } = frameNamed(flame.answer(all), 'clone').diff ?? assert.fail();
    assert.deepEqual([was.totalUs, was.totalRange, is.selfRange], [35_000, [30_000, 40_000], [10_000, 12_000]]);
    assert.equal(change, 'faster');
  });
});

describe('a change is beyond the noise', () => {
  const changeOf = async (base: readonly number[], head: readonly number[], blocks = false): Promise<FrameChange> => {
    const run = (ms: number): string => `ms 100 ${ms}\nmain main\n. clone`;
    const { flame } = await diffOf(base.map(run), head.map(run), { blocks });
    const answer = flame.answer({ ...all, side: head.every((ms) => ms === 0) ? 'before' : 'now' });
    return frameNamed(answer, 'clone').diff?.change ?? assert.fail();
  };

  test('where three runs of each side in turn are apart, by a fifth and 2 ms', async () => {
    assert.equal(await changeOf([30, 31, 30], [24, 24.5, 24]), 'faster');
    assert.equal(await changeOf([30, 31, 30], [26, 26.5, 26]), 'none');
    assert.equal(await changeOf([3, 3, 3], [1.5, 1.5, 1.5]), 'none');
  });

  test('where the sides are farther from each other than the runs of one', async () => {
    assert.equal(await changeOf([30, 40, 30], [24, 24, 29]), 'none');
  });

  test('from twice on where there are fewer runs, or one side was recorded after the other', async () => {
    assert.equal(await changeOf([30], [24]), 'none');
    assert.equal(await changeOf([30], [61]), 'slower');
    assert.equal(await changeOf([30, 31, 30], [24, 24.5, 24], true), 'none');
    assert.equal(await changeOf([30, 31, 30], [14, 14.5, 14], true), 'faster');
  });
});

describe('what only one side has', () => {
  const before = 'ms 40 20 5\nmain main main\nold same same\nparse . tiny';
  const now = 'ms 20 30\nmain main\nsame fresh';

  test('is gone or new with all that it calls, and within the noise neither', async () => {
    const { flame } = await diffOf([before], [now]);
    assert.deepEqual(drawnDiff(flame.answer({ ...all, side: 'before' })), [
      'all 65 65→50 none',
      '  main 65 65→50 none',
      '    old 40 40→0 gone',
      '      parse 40 40→0 gone',
      '    same 25 25→20 none',
      '      tiny 5 5→0 gone',
    ]);
    assert.equal(frameNamed(flame.answer(all), 'fresh').diff?.change, 'new');
    const little = await diffOf(['ms 9 1.5\nmain main\n. little'], ['ms 9\nmain']);
    assert.equal(frameNamed(little.flame.answer({ ...all, side: 'before' }), 'little').diff?.change, 'none');
  });

  test('is shown alone, with its callers, as wide as what is gone or new', async () => {
    const { flame } = await diffOf([before], [now]);
    assert.deepEqual(drawnDiff(flame.answer({ ...all, side: 'gone' })), [
      'all 45 65→50 none',
      '  main 45 65→50 none',
      '    old 40 40→0 gone',
      '      parse 40 40→0 gone',
      '    same 5 25→20 none',
      '      tiny 5 5→0 gone',
    ]);
    assert.deepEqual(drawnDiff(flame.answer({ ...all, side: 'new' })), [
      'all 30 65→50 none',
      '  main 30 65→50 none',
      '    fresh 30 0→30 new',
    ]);
  });

  test('and what changed add up to the difference', async () => {
    const { flame } = await diffOf([before], [now]);
    const { diff } = flame.answer(all);
    assert.deepEqual(diff?.differenceByChange, { slower: 0, new: 30_000, faster: 0, gone: -45_000, none: 0 });
  });
});

describe('a function is found again', () => {
  const body = 'const list = [3, 1, 2]; return list.map((one) => one * 2).filter((one) => one > 2).length;';
  const source = (name: string): string => `\nfunction ${name}() { ${body} }\n`;
  const profile = (name: string, ms: number, file: string) => {
    const frame = (id: number, functionName: string, url: string, line: number, column: number, children: number[]) => {
      const callFrame = { functionName, scriptId: '1', url, lineNumber: line, columnNumber: column };
      return { id, callFrame, hitCount: 1, children };
    };
    return {
      nodes: [frame(1, '(root)', '', -1, -1, [2]), frame(2, name, `file://${file}`, 1, 9 + name.length, [])],
      ...{ startTime: 2_000_000, endTime: 2_050_000 + ms * 1000, samples: [2], timeDeltas: [50_000] },
    };
  };
  const base = [{ profile: profile('total', 40, '/tmp/base/src/cart.js'), manifest: { cwd: '/tmp/base' } }];

  test('under another name, and in another checkout', async () => {
    const files = { '/tmp/base/src/cart.js': source('total'), '/app/src/cart.js': source('sum') };
    const { flame } = await diffOf(base, [{ profile: profile('sum', 12, '/app/src/cart.js') }], { files });
    const { diff, name, url } = frameNamed(flame.answer(all), 'sum');
    assert.deepEqual([name, url, diff?.wasName], ['sum', 'file:///app/src/cart.js', 'total']);
    assert.deepEqual([diff?.was.totalUs, diff?.is.totalUs, diff?.change], [40_000, 12_000, 'faster']);
    assert.equal(diff?.onlyBefore, undefined);
  });

  test('by its name, where one side has kept no text', async () => {
    const files = { '/app/src/cart.js': source('total') };
    const { flame } = await diffOf(base, [{ profile: profile('total', 12, '/app/src/cart.js') }], { files });
    assert.equal(frameNamed(flame.answer(all), 'total').diff?.change, 'faster');
  });

  test('or is said to be there no more, with the place that it had', async () => {
    const page = '\nfunction render() { for (const row of rows) draw(row); }\n';
    const files = { '/tmp/base/src/cart.js': source('total'), '/app/src/page.js': page };
    const { flame } = await diffOf(base, [{ profile: profile('render', 12, '/app/src/page.js') }], { files });
    const { diff, url } = frameNamed(flame.answer({ ...all, side: 'gone' }), 'total');
    assert.deepEqual([diff?.onlyBefore, diff?.change, url], [true, 'gone', 'file:///tmp/base/src/cart.js']);
  });
});

const opposite: Readonly<Record<FrameChange, FrameChange>> = {
  ...{ slower: 'faster', faster: 'slower', new: 'gone', gone: 'new', none: 'none' },
};

test('seen from the other side each change is the opposite one, and each time that of the other side', async () => {
  const runs = [
    ['ms 40 20 5\nmain main main\nold same same\nparse . tiny', 'ms 9 50\nmain boot\nlib#each .'],
    ['ms 20 30 8\nmain main main\nsame fresh lib#each', 'ms 9 20\nmain boot\n. lib#each'],
  ] as const;
  const [there, back] = [await diffOf(runs[0], runs[1]), await diffOf(runs[1], runs[0])];
  for (const [side, other] of [
    ['now', 'before'],
    ['before', 'now'],
    ['gone', 'new'],
    ['new', 'gone'],
  ] as const) {
    const [one, two] = [there.flame.answer({ ...all, side }), back.flame.answer({ ...all, side: other })];
    const [left, right] = [frames(one.root), frames(two.root)];
    assert.deepEqual(
      left.map(({ name, value, diff }) => [name, value, opposite[diff?.change ?? 'none'], diff?.is, diff?.was]),
      right.map(({ name, value, diff }) => [name, value, diff?.change, diff?.was, diff?.is]),
    );
  }
});

test('search, zoom and folded kinds of code are those of any flamegraph', async () => {
  const run = (ms: number): string => `ms ${ms} 20\nmain main\nlib#each sort\nmy%20cart.js#parse .`;
  const { flame, idOf } = await diffOf([run(40)], [run(10)]);
  const found = flame.search({ pattern: 'my cart', isRegex: false, side: 'before' });
  assert.deepEqual(found.type === 'found' && [found.matches, found.matchedUs], [1, 40_000]);
  const fold = { kinds: ['dependency'], open: [] } as const;
  const plain = flame.answer(all);
  const folded = flame.answer({ ...all, fold });
  assert.deepEqual(
    drawnDiff(folded),
    drawnDiff(plain).map((line) => line.replace('each', 'lib')),
  );
  assert.deepEqual(folded.diff?.differenceByChange, plain.diff?.differenceByChange);
  const zoomed = flame.answer({ ...all, functionId: idOf('parse') });
  assert.equal(frameNamed(zoomed, 'parse').id, zoomed.zoom);
  assert.equal(zoomed.diff?.differenceByChange.faster, milliseconds(-30));
  assert.equal(flame.answer({ leastShare: 0.4 }).root.children[0]?.hiddenUs, milliseconds(10));
  assert.equal(flame.answer({ ...all, zoom: '999', perOperationOf: 999 }).diff?.of, null);
});

test('a stack of thousands of frames is drawn, and is one path on both sides', async () => {
  const deep = (ms: number): string => `ms ${ms}\n${'again\n'.repeat(3_000)}`;
  const { flame, diff } = await diffOf([deep(40)], [deep(10)]);
  assert.ok(diff.tree.tree.size > 3_000);
  assert.ok(frames(flame.answer(all).root).every(({ diff: one }) => one?.change === 'faster'));
});

describe('what cannot be compared', () => {
  test('is refused: another command, another Node', async () => {
    const other = { profile: 'a', manifest: { command: ['npm', 'start'] } };
    assert.equal((await resultOf([{ profile: 'a', manifest: {} }], [other])).type, 'refused');
    const result = await resultOf([{ profile: 'a', turns: [[0, 1]] }], [{ profile: 'a', nodeVersion: 'v22.0.0' }]);
    assert.equal(result.type === 'refused' ? result.refusal.differs : null, 'node');
  });

  test('is an empty side or a deleted recording, which a name does not stand for or which is not found', async () => {
    assert.equal(diffNamed(nameOfDiff({ base: [], head: [['/a']] })), null);
    const sides = { base: [['/a', '/b']], head: [['/c']] };
    assert.deepEqual(diffNamed(nameOfDiff(sides)), sides);
    assert.equal(diffNamed('{"base":["../a"],"head":["/c"]}'), null);
    assert.equal(diffNamed('/recordings/{1}'), null);
  });
});
