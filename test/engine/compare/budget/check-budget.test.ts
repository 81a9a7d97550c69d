import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkBudget,
  functionsOver,
  unjudged,
  newBudget,
  runFigures,
  type RunFigures,
} from '../../../../engine/compare/budget.ts';
import type { Budget } from '../../../../protocol/budget.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { globMatcher } from '../../../../recorder/launch/packages/glob.ts';
import { run } from './runs.ts';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsOf } from '../../../helpers/drawn-hotspots.ts';

const nothing: Budget = { functions: new Map(), files: new Map(), routes: new Map(), whole: null, node: null };
const total = 'src/cart.ts#total';
const totalIn200: Budget = { ...nothing, functions: new Map([[total, milliseconds(200)]]) };

/** `key verdict` of each entry. */
function verdicts(budget: Budget, runs: readonly RunFigures[]): readonly string[] {
  return checkBudget(budget, runs, globMatcher).map(({ key, verdict }) => `${key} ${verdict}`);
}

test('a function is over its budget only if it is in all runs', () => {
  const slow = run({ [total]: 312 });
  assert.deepEqual(verdicts(totalIn200, [slow]), [`${total} over`]);
  assert.deepEqual(verdicts(totalIn200, [slow, slow, slow]), [`${total} over`]);
  assert.deepEqual(verdicts(totalIn200, [slow, run({ [total]: 100 }), slow]), [`${total} near`]);
  assert.deepEqual(verdicts(totalIn200, [slow, run({ [total]: null }), slow]), [`${total} near`]);
});

test('a run that does not reach the function acquits it', () => {
  const slow = run({ [total]: 312 });
  assert.deepEqual(verdicts(totalIn200, [slow, run({}), slow]), [`${total} near`]);
});

test('exactly the budget is not over it, and a person is warned from 80 % on', () => {
  assert.deepEqual(verdicts(totalIn200, [run({ [total]: 200 })]), [`${total} near`]);
  assert.deepEqual(verdicts(totalIn200, [run({ [total]: 160 })]), [`${total} near`]);
  assert.deepEqual(verdicts(totalIn200, [run({ [total]: 159 })]), [`${total} within`]);
  assert.deepEqual(verdicts(totalIn200, [run({ [total]: null })]), [`${total} within`]);
});

test('an estimate fails nobody in a single run, but does if three runs say the same', () => {
  const estimated = run({ [total]: 312 }, { isEstimated: true });
  assert.deepEqual(verdicts(totalIn200, [estimated]), [`${total} estimated`]);
  assert.deepEqual(verdicts(totalIn200, [estimated, estimated, estimated]), [`${total} over`]);
});

test('a first call is over no budget if there were others, and one that had none is', async () => {
  const whole = { ...nothing, whole: milliseconds(30) };
  const verdictOf = async (later: string): Promise<readonly string[]> => {
    const row = [...Array.from({ length: 40 }, () => 'connect'), '(idle)', later].join(' ');
    const { analysis } = await hotspotsOf(row, { turns: '0-40 41-42' });
    return verdicts(whole, [await runFigures({ analysis, lower: analysis, textOf: () => Promise.resolve(null) })]);
  };
  assert.deepEqual(await verdictOf('connect'), ['whole within']);
  assert.deepEqual(await verdictOf('parse'), ['whole over']);
});

test('what only a first call or a worker took is in no budget, but known', async () => {
  const entryOf = async (drawing: string, options: Parameters<typeof hotspotsOf>[1]) => {
    const { analysis } = await hotspotsOf(drawing, options);
    const figures = await runFigures({ analysis, lower: analysis, textOf: () => Promise.resolve(null) });
    const [entry] = checkBudget({ ...nothing, whole: milliseconds(5) }, [figures], globMatcher);
    return [entry?.verdict, entry?.place?.label, entry?.leftOut];
  };
  const drawn = (ms: number, name: string): string => Array.from({ length: ms }, () => name).join(' ');
  const long = drawn(40, 'parse');
  assert.deepEqual(await entryOf(long, { worker: 'background', turns: '0-40' }), [
    'within',
    'parse',
    { why: 'worker', us: milliseconds(40), isEstimated: false },
  ]);
  assert.deepEqual(await entryOf(`${long} (idle) parse`, { turns: '0-40 41-42' }), [
    'within',
    'parse',
    { why: 'firstCall', us: milliseconds(40), isEstimated: false },
  ]);
  assert.deepEqual(await entryOf(long, { turns: '0-40' }), ['over', 'parse', null]);
  const module = (ms: number) => entryOf(drawn(ms, 'cart.ts#<module>'), { turns: `0-${ms}` });
  assert.deepEqual(await module(100), [
    'within',
    'cart.ts (module)',
    { why: 'firstCall', us: milliseconds(100), isEstimated: false },
  ]);
  assert.deepEqual(await module(101), ['over', 'cart.ts (module)', null]);
});

test('the longest of what is left out names a pattern or the whole, if nothing else was over the threshold', () => {
  const inWorker = (ms: number) => ({ why: 'worker' as const, us: milliseconds(ms), isEstimated: false });
  const [first, second] = [
    run({ 'a#f': null }, { leftOut: inWorker(40) }),
    run({ 'a#g': null }, { leftOut: inWorker(180) }),
  ];
  const wholeOf = (times: Readonly<Record<string, number>>) => {
    const functions = [first, second, run(times)].flatMap((one) => one.functions);
    return checkBudget({ ...nothing, whole: milliseconds(100) }, [{ ...first, functions }], globMatcher)[0];
  };
  assert.deepEqual(wholeOf({})?.leftOut, inWorker(180));
  assert.equal(wholeOf({})?.place?.label, 'g');
  assert.equal(wholeOf({ 'a#h': 20 })?.leftOut, null);
});

test('a figure is an estimate where it is one in any run', () => {
  const isEstimated = (...runs: readonly RunFigures[]) => checkBudget(totalIn200, runs, globMatcher)[0]?.isEstimated;
  const estimated = run({ [total]: 111 }, { isEstimated: true });
  assert.equal(isEstimated(estimated), true);
  assert.equal(isEstimated(run({ [total]: 111 }), estimated), true);
  assert.equal(isEstimated(run({ [total]: 111 }), run({ [total]: null }, { isEstimated: true })), false);
});

test('where none of the code was seen, no entry is within its budget', () => {
  const unseen = { ...run({ [total]: null }), isSeen: false };
  const budget = { ...totalIn200, whole: milliseconds(100) };
  assert.deepEqual(verdicts(budget, [unseen]), [`${total} unknown`, 'whole unknown']);
  assert.deepEqual(verdicts(budget, [unseen, run({ [total]: 20 })]), [`${total} within`, 'whole within']);
});

test('what nobody saw is unknown: it may have been renamed', () => {
  const budget: Budget = {
    functions: new Map([['src/gone.ts#old', milliseconds(50)]]),
    files: new Map([['lib/**', milliseconds(50)]]),
    routes: new Map([['GET /gone', 0.1]]),
    whole: milliseconds(50),
    node: null,
  };
  const entries = checkBudget(budget, [run({})], globMatcher);
  assertEach(entries, ({ key, verdict, place }) => [key, verdict, place], [
    ['src/gone.ts#old', 'unknown', null],
    ['lib/**', 'unknown', null],
    ['GET /gone', 'unknown', null],
    ['whole', 'within', null],
  ]);
});

test('a pattern is judged by the worst function in its files, and that one is named', () => {
  const budget: Budget = { ...nothing, files: new Map([['src/**', milliseconds(100)]]) };
  const [entry] = checkBudget(budget, [run({ [total]: 20, 'src/a.ts#slow': 150, 'lib/b.ts#x': 999 })], globMatcher);
  assert.equal(entry?.verdict, 'over');
  assert.equal(entry?.place?.label, 'slow');
});

test('the whole counts the application and not its tests', () => {
  const budget: Budget = { ...nothing, whole: milliseconds(100) };
  assert.deepEqual(verdicts(budget, [run({ 'test/a.test.ts#setup': 900 }, { isTest: true })]), ['whole within']);
  assert.deepEqual(verdicts(budget, [run({ [total]: 900 })]), ['whole over']);
});

test('a route is judged by the share of requests that others delayed', () => {
  const budget: Budget = { ...nothing, routes: new Map([['GET /orders', 0.05]]) };
  assert.deepEqual(verdicts(budget, [run({}, {}, { 'GET /orders': 0.4 })]), ['GET /orders over']);
  assert.deepEqual(verdicts(budget, [run({}, {}, { 'GET /orders': 0.01 })]), ['GET /orders within']);
});

test('what is worst comes first', () => {
  const budget: Budget = {
    ...nothing,
    functions: new Map([
      ['a#ok', milliseconds(100)],
      ['a#gone', milliseconds(100)],
      ['a#over', milliseconds(100)],
    ]),
  };
  assert.deepEqual(verdicts(budget, [run({ 'a#ok': 10, 'a#over': 500 })]), [
    'a#over over',
    'a#gone unknown',
    'a#ok within',
  ]);
});

test('what names a function more closely counts for it: its own entry, else a pattern, else the whole', () => {
  const budget: Budget = {
    ...totalIn200,
    files: new Map([['src/**', milliseconds(100)]]),
    whole: milliseconds(20),
  };
  assert.deepEqual(verdicts(budget, [run({ [total]: 150, 'src/a.ts#f': 70, 'lib/b.ts#g': 15 })]), [
    `${total} within`,
    'src/** within',
    'whole within',
  ]);
  assert.deepEqual(verdicts(budget, [run({ [total]: 10, 'src/a.ts#f': 120, 'lib/b.ts#g': 45 })]), [
    'src/** over',
    'whole over',
    `${total} within`,
  ]);
  assert.deepEqual(
    verdicts({ ...budget, files: new Map([['src/cart.ts', milliseconds(5)]]) }, [run({ [total]: 90 })]),
    [`${total} within`, 'src/cart.ts within', 'whole within'],
  );
});

test('functions of the same names in a file share the budget of the longest, however many are added', async () => {
  const { analysis } = await hotspotsOf('app', { turns: '0-1' });
  const textOf = async () => 'function app() { app.get(() => {}); app.get(() => {}); }';
  const named = (await runFigures({ analysis, lower: analysis, textOf })).functions.map(({ key }) => key);
  const key = named.at(-1) ?? '';
  assert.deepEqual([named.at(-2), key.endsWith('#app>get callback')], [key, true]);
  const routes = (...times: readonly (number | null)[]): RunFigures => {
    return { ...run({}), functions: times.flatMap((ms, ordinal) => run({ [key]: ms }, { ordinal }).functions) };
  };
  const budget = { ...newBudget([routes(20, 70), routes(25, 80), routes(null, 60)], null), whole: null };
  assert.deepEqual([...budget.functions], [[key, milliseconds(140)]]);
  assert.deepEqual(verdicts(budget, [routes(null, 20, 70)]), [`${key} within`]);
  assert.deepEqual(verdicts(budget, [routes(150, 70), routes(20, 150)]), [`${key} near`], 'one each time');
  assert.deepEqual(verdicts(budget, [routes(20, 150), routes(20, 150)]), [`${key} over`]);
});

test('a function that was mended before the first budget is over it where it comes back', () => {
  const budget = newBudget([run({ [total]: 80, 'src/a.ts#mended': null })], null);
  assert.deepEqual(verdicts(budget, [run({ [total]: 80, 'src/a.ts#mended': 70 })]), ['whole over', `${total} within`]);
});

test('a pattern and the whole fail by one function that is over them each time, not by another one each time', () => {
  const budget: Budget = { ...nothing, whole: milliseconds(20) };
  const other = (slow: string) => run({ 'a#f': null, 'a#g': null, 'a#h': null, [slow]: 30 });
  assert.deepEqual(verdicts(budget, [other('a#f'), other('a#g'), other('a#h')]), ['whole near']);
  assert.deepEqual(verdicts(budget, [other('a#f'), other('a#f'), other('a#f')]), ['whole over']);
});

test('what blocks and is in no budget is told where nothing judges the rest', () => {
  const runs = [run({ [total]: 80, 'src/a.ts#new': 45, 'src/a.ts#short': 15 })];
  const keys = (budget: Budget) => unjudged(budget, runs, globMatcher).map(({ key }) => key);
  assert.deepEqual(keys(totalIn200), ['src/a.ts#new']);
  assert.deepEqual(keys({ ...totalIn200, whole: milliseconds(300) }), []);
  assert.deepEqual(keys({ ...totalIn200, files: new Map([['src/**', milliseconds(300)]]) }), []);
});

test('all functions that are over what they are allowed are known, not the worst of each entry alone', () => {
  const times = { [total]: 312, 'src/a.ts#f': 120, 'src/b.ts#g': 90, 'lib/c.ts#h': 45, 'lib/d.ts#short': 12 };
  const over = (budget: Budget) => functionsOver(budget, run(times), globMatcher).map(({ key }) => key);
  assert.deepEqual(over(totalIn200), [total]);
  const files = new Map([['src/**', milliseconds(50)]]);
  assert.deepEqual(over({ ...totalIn200, files, whole: milliseconds(20) }), [
    total,
    'src/a.ts#f',
    'src/b.ts#g',
    'lib/c.ts#h',
  ]);
  assert.deepEqual(over({ ...nothing, whole: milliseconds(400) }), []);
});
