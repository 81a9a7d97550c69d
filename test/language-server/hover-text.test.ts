import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FunctionDetails } from '../../language-server/queries/function-details.ts';
import { line0, milliseconds } from '../../protocol/units.ts';
import { type HoverParts, hoverText } from '../../language-server/features/hover.ts';
import { functionMarkdown } from '../../language-server/features/markdown.ts';

const ms = milliseconds;
const figures = { worstUs: ms(312), longCount: 1, distinctStacks: 1, estimated: false };
const extent = { name: 'parse', firstLine: line0(1), lastLine: line0(9) };
const hot = {
  ...figures,
  functionId: 0,
  tone: 'plain',
  firstTime: null,
  kept: false,
  totalUs: ms(640),
  extent,
  optimized: null,
  isBuilt: false,
} as const;
const details = {
  label: 'parse',
  place: 'src/app.ts:2',
  isChanged: false,
  isBuilt: false,
  presenceUs: ms(502),
  longestRunUs: ms(290),
  selfUs: ms(300),
  totalUs: ms(640),
  gcUs: ms(0),
  loadUs: ms(0),
  samples: 300,
  estimated: false,
  inferred: false,
  doubt: null,
  byClockUs: null,
  waited: null,
  byClass: { fast: 0, medium: 0, slow: 0, verySlow: 1, monster: 0 },
  tests: [],
  stacks: [],
  tiers: null,
};

const textWith = (line: HoverParts['line'], more: Partial<FunctionDetails> = {}): string =>
  hoverText({
    recording: '/rec',
    thresholdUs: ms(10),
    hot,
    details: { ...details, ...more },
    line,
    stale: false,
    remedies: [],
  });

test('the hover says how much of a presence was without a break', () => {
  assert.match(
    textWith(null),
    /^With what it calls 502 ms in one go \(≈290 ms of it without a break\), 640 ms in all\./m,
  );
});

test('the hover of a line says why it may be another one', () => {
  const split = { precision: 'shared', reason: { type: 'splitBySamples', lines: 3 } } as const;
  assert.match(textWith(split), /^≈ for this line: split over 3 lines by samples\./m);
  const call = { type: 'callOnLines', callee: '<b>sum</b>', lines: 2, withoutPositions: false } as const;
  const called = { precision: 'oneOf', reason: call } as const;
  assert.match(textWith(called), /^One of several lines: \\<b\\>sum\\<\/b\\> may be called on 2 lines\./m);
  assert.doesNotMatch(textWith({ precision: 'exact', reason: null }), /line/);
});

test('the hover says once what the clock said on a busy machine, and what was no computing', () => {
  assert.match(
    textWith(null, { byClockUs: ms(1410) }),
    /^Its worst operation took 1410 ms by the clock: the machine was busy\./m,
  );
  assert.match(
    textWith(null, { waited: { us: ms(402), in: 'execSync' } }),
    /^Of the worst it waited 402 ms in execSync: the loop was held, and nothing computed\./m,
  );
  assert.doesNotMatch(textWith(null), /by the clock|waited/);
});

test('the hover and the copied Markdown say that a file was built', () => {
  const said =
    /^It stands in a built file without a source map: build with source maps to see the lines that you wrote\./m;
  assert.match(textWith(null, { isBuilt: true }), said);
  assert.match(functionMarkdown({ ...details, isBuilt: true }), said);
  assert.doesNotMatch(textWith(null), /built/);
});
