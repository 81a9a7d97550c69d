import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns, findingsOf, shown, times } from './drawn-findings.ts';
import { callFrameOf, drawnStart } from '../../../helpers/drawn-profile.ts';
import { drawnRecording, hotspotsIn, hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import type { TurnLine } from '../../../../protocol/recording-lines.ts';

const idle = [2, '(idle)'] as const;

test('one long collection is not a fault of the function that it interrupted, and gives it no mark', async () => {
  const { report, analysis } = await hotspotsOf(columns([2, 'parse'], [18, '(gc)']), { turns: [[0, 20]] });
  assert.deepEqual(shown(report.findings), [
    ['(garbage collector)', 18, 'gc'],
    ['parse', 0, 'gc'],
  ]);
  assert.deepEqual([...analysis.findings.unmarked].length, 1);
  assert.deepEqual(
    analysis.lines.filter(({ decorated }) => decorated),
    [],
  );
});

test('a function that was long without a pause is found, however long one pause in it was', async () => {
  const work = [[12, 'parse'], idle] as const;
  const paused = [[2, 'parse'], [91, '(gc)'], idle] as const;
  const turns = [
    [0, 12],
    [14, 26],
    [28, 121],
  ] as const;
  const collected = await hotspotsOf(columns(...work, ...work, ...paused), { turns });
  const turnLines = [turnThatRan(0, 12, 12), turnThatRan(14, 26, 12), turnThatRan(28, 121, 1)];
  const stopped = await hotspotsOf(columns(...work, ...work, [93, 'parse'], idle), { turns: [], turnLines });
  for (const { report, culprit, analysis } of [collected, stopped]) {
    const found = report.findings.find(({ name }) => name === 'parse');
    assert.deepEqual([found?.open, found?.removesUs, found?.longCount], [true, 20_000, 2]);
    assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.longCount], [12_000, 2]);
    assert.deepEqual(
      analysis.lines.map(({ worst, longCount, decorated }) => [worst, longCount, decorated]),
      [[12_000, 2, true]],
    );
  }
});

test('of a function in whose only call there was a pause, what it computed counts, as an estimate', async () => {
  const stopped = await hotspotsOf(columns([90, 'parse']), { turns: [], turnLines: [turnThatRan(0, 90, 30)] });
  const collected = await hotspotsOf(columns([30, 'parse'], [60, '(gc)']), { turns: [[0, 90]] });
  for (const { report, culprit, analysis, operations } of [stopped, collected]) {
    const found = report.findings.find(({ name }) => name === 'parse');
    assert.deepEqual([found?.open, found?.worstUs, found?.removesUs], [true, 30_000, 30_000]);
    assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.estimated], [30_000, true]);
    assert.equal(operations[0]?.culprit?.us, 30_000);
    assert.deepEqual(
      analysis.lines.map(({ worst, decorated }) => [worst, decorated]),
      [[30_000, true]],
    );
  }
});

test('a stop during a collection does not count as a collection, and what the function computed counts', async () => {
  const stopped = columns([30, 'parse'], [61, '(gc)'], [9, 'parse']);
  const { report, culprit, analysis } = await hotspotsOf(stopped, {
    turns: [],
    turnLines: [turnThatRan(0, 100, 40)],
  });
  const [first, ...others] = report.findings.filter(({ open }) => open);
  assert.deepEqual([first?.name, first?.worstUs, others], ['parse', 39_000, []]);
  assert.deepEqual([culprit('parse')?.worstUs, culprit('parse')?.estimated], [39_000, true]);
  const garbage = analysis.findings.all.find(({ subject }) => subject.type === 'garbage');
  assert.equal(garbage?.worstUs, 1000);
});

/** A turn between two times, with its time on a processor; in ms. It never waited for one. */
function turnThatRan(start: number, end: number, ran: number): TurnLine {
  return ['turn', drawnStart + start * 1000, drawnStart + end * 1000, ran * 1000, 0, 0];
}

test('collections that recur in a function are its own', async () => {
  const turn = [
    [2, 'build'],
    [3, '(gc)'],
  ] as const;
  const [found] = await findingsOf(columns(...times(6, turn)), { turns: [[0, 30]] });
  assert.deepEqual([found?.name, found?.open, found?.cause.kind], ['build', true, 'allocation']);
});

test('a function with under ten samples of its own is collapsed', async () => {
  const found = await findingsOf(columns([9, 'parse']), { turns: [[0, 9]] });
  assert.deepEqual(shown(found), [['parse', 7, 'fewSamples']]);
});

test('test code is collapsed', async () => {
  const found = await findingsOf(columns([20, 'test#case']), { turns: [[0, 20]] });
  assert.deepEqual(shown(found), [['case', 18, 'test']]);
});

test('a function whose time is mostly in a package that only tests import is collapsed', async () => {
  const drawing = columns([20, 'test#case', 'render.ts#render', 'jsdom#append'], [6, 'test#case', 'render.ts#render']);
  const of = async (importer: string): Promise<unknown> => {
    const sources = { '/app/test/app.test.ts': '', '/app/src/render.ts': '', [importer]: "import 'jsdom';\n" };
    return shown(await findingsOf(drawing, { turns: [[0, 26]], sources }));
  };
  assert.deepEqual(await of('/app/test/app.test.ts'), [['render', 24, 'test']]);
  assert.deepEqual(await of('/app/src/render.ts'), [['render', 24, 'open']]);
});

test('a package that the program imports in a file without a sample is not a package of tests', async () => {
  const drawing = columns([26, 'test#case', 'render.ts#render', 'jsdom#append']);
  const of = async (other: string): Promise<unknown> => {
    const importing = "import 'jsdom';\n";
    const sources = { '/app/test/app.test.ts': importing, '/app/src/render.ts': '', [other]: importing };
    return shown(await findingsOf(drawing, { turns: [[0, 26]], sources }));
  };
  assert.deepEqual(await of('/app/src/dom.ts'), [['render', 24, 'open']]);
  assert.deepEqual(await of('/app/test/other.test.ts'), [['render', 24, 'test']]);
});

test('what was long only the first time is collapsed', async () => {
  const turns = [
    [0, 20],
    [22, 23],
  ] as const;
  const found = await findingsOf(columns([20, 'connect'], idle, [1, 'connect']), { turns });
  assert.deepEqual(shown(found), [['connect', 18, 'firstCall']]);
});

test('the rest of an async function, or of a generator, does not count as a later call', async () => {
  const turns = [
    [0, 20],
    [22, 23],
  ] as const;
  const { lineNumber } = callFrameOf('connect.ts#connect');
  const closedFor = async (text: string, ...later: readonly string[]): Promise<unknown> => {
    const drawing = columns([20, 'node:events#emit', 'connect.ts#connect'], idle, [1, ...later, 'connect.ts#connect']);
    // Its last line is that of the frame.
    const before = '\n'.repeat(lineNumber - text.split('\n').length + 1);
    const sources = { '/app/src/connect.ts': `${before}${text}\n` };
    const [found] = shown(await findingsOf(drawing, { turns, sources }));
    return found?.[2];
  };
  const queue = 'node:internal/process/task_queues#processTicksAndRejections';
  const asyncFunction = 'async function connect() {}';
  assert.equal(await closedFor('function connect() {}'), 'firstCall');
  for (const after of [[], [queue], [queue, 'native#runMicrotasks']])
    assert.equal(await closedFor(asyncFunction, ...after), 'open');
  assert.equal(await closedFor(asyncFunction, queue, 'node:events#emit'), 'firstCall');
  assert.equal(await closedFor('function* connect() {}', 'node:events#emit'), 'open');
  // What compilers write: helpers call the rest of an async function, and its body may be a plain function.
  for (const after of [
    ['tslib#fulfilled'],
    ['_next', 'asyncGeneratorStep', 'app.ts#'],
    ['fulfilled', 'app.ts#', 'step'],
  ])
    assert.equal(await closedFor(asyncFunction, queue, ...after), 'open');
  for (const after of [['parse'], ['app.ts#'], ['parse', 'fulfilled'], ['fulfilled', 'parse']])
    assert.equal(await closedFor(asyncFunction, queue, ...after), 'firstCall');
  for (const text of [
    '__generator(this, (_a) => {})',
    '_ts_generator(this, (_a) => {})',
    'function _callee$(context) {}',
    'function _callee2() {\n          r().w((c) => {}) }',
  ])
    assert.equal(await closedFor(text, 'parse'), 'open');
});

test('a function that most processes call once is open, also where one process calls it again', async () => {
  const closedFor = async (...drawings: readonly string[]): Promise<unknown> => {
    const events: string[] = [];
    const files = drawings.flatMap((drawing, number) => {
      const recorded = Object.entries(drawnRecording('/rec', drawing, { turns: '0-20 22-23' }));
      return recorded.map(([path, text]) => {
        const ofProcess = text.replaceAll('7-0-x', `${number}-0-x`).replaceAll('"pid":7', `"pid":${number}`);
        if (path.endsWith('events.jsonl')) events.push(ofProcess);
        return [path.replace('7-0-x', `${number}-0-x`), ofProcess] as const;
      });
    });
    const { report } = await hotspotsIn({ ...Object.fromEntries(files), '/rec/events.jsonl': events.join('') });
    return shown(report.findings)[0]?.[2];
  };
  const once = columns([20, 'connect'], idle, [1, 'parse']);
  const again = columns([20, 'connect'], idle, [1, 'connect']);
  assert.equal(await closedFor(once, again), 'firstCall');
  assert.equal(await closedFor(once, again, once), 'open');
  const short = columns([1, 'connect'], [19, 'parse'], idle, [1, 'connect']);
  assert.equal(await closedFor(once, short), 'open', 'where it is called again it was short from the first time on');
});

test('a module body runs once in each thread, so up to 100 ms of it are a first call', async () => {
  const found = await findingsOf(columns([40, 'cart.ts#<module>']), { turns: [[0, 40]] });
  assert.deepEqual(shown(found), [['', 38, 'firstCall']]);
  const long = await findingsOf(columns([110, 'cart.ts#<module>']), { turns: [[0, 110]] });
  assert.deepEqual(shown(long), [['', 108, 'open']]);
});

test('a function that a module body calls once is not a first call: it may be what the program does', async () => {
  const found = await findingsOf(columns([40, 'cart.ts#<module>', 'total']), { turns: [[0, 40]] });
  assert.deepEqual(shown(found), [['total', 38, 'open']]);
});

test('loading is a cause of its own', async () => {
  const drawing = columns([20, 'node:internal/modules/cjs#load', 'cart.ts#<module>', 'node:internal/modules/cjs#read']);
  const found = await findingsOf(drawing, { turns: [[0, 20]] });
  assert.deepEqual(shown(found), [['(loader)', 18, 'loading']]);
});

test('sleep in no call that can block is charged to no function', async () => {
  const drawing = columns([12, 'parse']);
  const turns = [[0, 40]] as const;
  const found = await findingsOf(drawing, { turns, turnLines: [] });
  assert.equal(found[0]?.name, 'parse');
});

test('in a profile without turns an estimate is as certain as any other', async () => {
  assert.deepEqual(shown(await findingsOf(columns([30, 'parse']), { threshold: 10 })), [['parse', 20, 'open']]);
});

/**
 * `parse` and `render` in a turn with samples of 1 ms, the first one of `gap`; `waited` is the share of it in which the
 * thread waited for a CPU, `slept` that of the rest in which it slept.
 */
async function onBusyMachine(samples: number, waited: number, slept: number, gap = 1): Promise<object> {
  const lasting = [gap, ...Array.from({ length: 2 * samples - 1 }, () => 1)];
  const wall = 2 * samples - 1 + gap;
  const [wait, run] = [wall * waited, wall * (1 - waited) * (1 - slept)];
  const rows = columns([1, 'parse'], [samples, 'render'], [samples - 1, 'parse']);
  const found = await findingsOf(`ms ${lasting.join(' ')}\n ${rows}`, {
    turns: [],
    turnLines: [['turn', drawnStart, drawnStart + ms(wall), ms(run), 0, ms(wait)]],
  });
  return Object.fromEntries(shown(found).map(([name, , state]) => [name, state]));
}

test('on a busy machine a function with many samples is certain, one with few is not', async () => {
  assert.deepEqual(await onBusyMachine(160, 0.75, 0), { parse: 'open', render: 'open' });
  assert.deepEqual(await onBusyMachine(12, 0.75, 0), { parse: 'once', render: 'once' });
});

test('of an operation whose sleep is in doubt, samples that came on time tell what ran', async () => {
  assert.deepEqual(await onBusyMachine(160, 0.2, 0.4), { parse: 'open', render: 'open' });
  assert.deepEqual(await onBusyMachine(160, 0.2, 0.4, 200), { parse: 'once', render: 'once' });
});
