import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedTime, Summary } from '../../protocol/summary.ts';
import type { Tone } from '../../protocol/figures.ts';
import { milliseconds } from '../../protocol/units.ts';
import {
  byWorst,
  resultRowText,
  shortVerdictOfAll,
  worstFigure,
  statusTooltip,
} from '../../words/editor/status-text.ts';
import { resultLabel } from '../../words/formats/command-text.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { bcrypt, getRegex, nothing } from './result-facts.ts';

const time = (ms: number, tone: Tone = 'plain'): NamedTime => {
  return { ...getRegex, label: 'quote', place: 'src/cart.ts:12', us: milliseconds(ms), tone };
};

test('results are ordered as the status bar speaks: findings, what else blocks, what needs no action, nothing', () => {
  const results = {
    unseen: { ...nothing, isUnseen: true },
    quick: nothing,
    blamed: { ...nothing, worst: time(950), blame: bcrypt },
    test: { ...nothing, worst: time(900, 'dim') },
    idle: { ...nothing, worst: time(999) },
    doubtful: { ...nothing, headline: { ...time(117), doubt: 'seen once' }, worst: time(950) },
    app: { ...nothing, headline: time(41), worst: time(950) },
    worst: { ...nothing, headline: time(312), worst: time(312) },
  };
  const names = Object.entries(results).toSorted(([, a], [, b]) => byWorst(a, b));
  assertEach(names, ([name]) => name, ['worst', 'app', 'blamed', 'doubtful', 'idle', 'test', 'quick', 'unseen']);
});

test('a result is called after its command, and after its folder inside the workspace', () => {
  assert.equal(resultLabel({ title: 'npm test', where: 'packages/core' }), 'npm test in packages/core');
  assert.equal(resultLabel({ title: 'npm test', where: '' }), 'npm test');
});

test('a row says the figure of the status bar, whether a function is to blame or a package', () => {
  assert.equal(worstFigure({ ...nothing, headline: time(312), worst: time(400), blame: bcrypt }), '312 ms');
  assert.equal(worstFigure({ ...nothing, worst: time(400), blame: bcrypt }), '118 ms');
  assert.equal(worstFigure({ ...nothing, worst: time(400) }), '400 ms');
  assert.equal(worstFigure(nothing), '');
});

test('a row says as the status bar does that its figure is uncertain, or of code that changed since', () => {
  const doubtful = { ...time(15), doubt: 'seen once' };
  assert.equal(worstFigure({ ...nothing, headline: doubtful, worst: time(23) }), 'uncertain: 15 ms');
  const changed = { ...doubtful, now: 'was 15 ms' };
  assert.equal(worstFigure({ ...nothing, headline: changed, worst: time(23) }), 'was 15 ms');
  const result = { ...summary('packages/core', 15), headline: changed };
  assert.equal(shortVerdictOfAll([result]), 'First: was 15 ms · cart.ts:12');
});

test('one line says how many results there are, and the worst; one result speaks for itself', () => {
  const core = summary('packages/core', 41);
  const web = summary('packages/web', 312);
  assert.equal(shortVerdictOfAll([core, web]), '2 results · First: 312 ms · cart.ts:12');
  assert.equal(shortVerdictOfAll([core]), 'First: 41 ms · cart.ts:12');
  assert.equal(shortVerdictOfAll([]), null);
});

test('a row names the folder alone where it has one of its own, else the command too', () => {
  const [core, web, root] = [summary('packages/core', 41), summary('packages/web', 312), summary('', 9)];
  const texts = [core, web, root].map((one) => resultRowText(one, [core, web, root]));
  assert.deepEqual(texts, [
    { figure: '41 ms', label: 'packages/core', description: 'npm test' },
    { figure: '312 ms', label: 'packages/web', description: 'npm test' },
    { figure: '9 ms', label: 'npm test', description: '' },
  ]);
  const other = { ...summary('packages/core', 44), title: 'npm run e2e' };
  assert.equal(resultRowText(other, [core, other]).label, 'npm run e2e in packages/core');
});

test('the tooltip names each result with its worst', () => {
  const text = statusTooltip([summary('packages/web', 312), summary('packages/core', 41)], 'npm test');
  assert.deepEqual(text.split('\n').slice(0, 2), [
    '- npm test in packages/web: 312 ms worst in quote',
    '- npm test in packages/core: 41 ms worst in quote',
  ]);
});

function summary(where: string, ms: number): Summary {
  return {
    ...{ ...nothing, headline: time(ms), worst: time(ms), warnings: ['a note'], recording: `/rec/${where}`, more: [] },
    ...{ title: 'npm test', where, startedAt: null, opensAt: null, findingCount: 0, hotspotCount: 1 },
    ...{ isTiers: false, isUncertain: false, verdict: `${ms} ms worst in quote` },
  };
}
