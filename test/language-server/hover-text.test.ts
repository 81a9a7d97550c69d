import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FunctionDetails } from '../../language-server/queries/function-details.ts';
import { milliseconds } from '../../protocol/units.ts';
import { type HoverParts, hoverText } from '../../language-server/features/hover.ts';
import { functionMarkdown } from '../../language-server/features/function-at.ts';

const ms = milliseconds;
const figures = { worstUs: ms(312), longCount: 1, distinctStacks: 1, estimated: false };
const hot = {
  ...figures,
  functionId: 0,
  tone: 'plain',
  firstTime: null,
  kept: false,
  totalUs: ms(640),
  label: 'parse',
} as const;
const details = {
  label: 'parse',
  place: 'src/app.ts:2',
  isChanged: false,
  ...{ isBuilt: false, isPresenceEstimated: false },
  hot,
  thresholdUs: ms(10),
  presenceUs: ms(502),
  longestRunUs: ms(490),
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
  finding: null,
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
    change: null,
    others: [],
    hasCommands: true,
  });

/** The marked line of `parse`, with other figures than those of the whole where `more` says so. */
const lineWith = (more: Partial<NonNullable<HoverParts['line']>> = {}): NonNullable<HoverParts['line']> => {
  return { shown: hot, precision: 'exact', reason: null, inCalls: false, functions: [hot], ...more };
};

test('the hover says what a function takes with what it calls, where that is not what its figures say', () => {
  assert.match(textWith(null), /^With what it calls 502 ms\. {2}$/m);
  const several = { byClass: { fast: 0, medium: 1, slow: 0, verySlow: 4, monster: 0 }, isPresenceEstimated: true };
  assert.match(
    textWith(null, several),
    /^With what it calls up to ≈502 ms, ≈640 ms in all, in 5 operations: `≤10 ms ▂ 1 · ≤1 s █ 4`\. {2}$/m,
  );
  assert.doesNotMatch(textWith(null, { presenceUs: ms(312) }), /With what it calls/);
});

test('at most twelve lines stand before the details, however much is known', () => {
  const other = { ...hot, functionId: 1, label: 'rank', worstUs: ms(58) };
  const shown = { ...hot, worstUs: ms(370), estimated: true };
  const reason = { type: 'mayBeInlined', callee: 'parse' } as const;
  const remedy = { text: 'Copy only what changes.', page: 'json-clone', replacement: null } as const;
  const text = hoverText({
    hasCommands: true,
    recording: '/rec',
    thresholdUs: ms(10),
    hot,
    details: {
      ...details,
      tests: ['a', 'b', 'c'],
      finding: {
        cause: 'all of it in JSON',
        callers: 'called by load',
        routes: 'in GET /users',
        next: 'Call it less often.',
      },
    },
    line: {
      shown,
      precision: 'shared',
      reason,
      inCalls: false,
      functions: [hot, ...Array.from({ length: 8 }, () => other)],
    },
    stale: true,
    remedies: [
      { ...remedy, fix: 'one;\ntwo;\nthree;' },
      { ...remedy, fix: 'one;\ntwo;\nthree;\nfour;' },
    ],
    change: null,
    others: ['From npm test', 'In npm one: 3 ms'],
  });
  const [front = '', after = ''] = text.split('\n---\n');
  const lines = front.split('\n').filter((line) => line !== '' && !line.startsWith('```'));
  assert.ok(lines.length <= 12, `${lines.length} lines: ${front}`);
  assert.match(
    front,
    /^All of it in JSON\\, called by load\. {2}\nIn 3 tests: a, b, \+1 more\. {2}\nIn GET \/users\.$/m,
  );
  assert.match(front, /\[re\\-check\]\(command:hotspan\.recheck/);
  assert.match(after, /With what it calls 502 ms[\s\S]*In 3 tests: a, b, c\.[\s\S]*From npm test/);
});

test('many short calls are not said to be one long one', () => {
  assert.match(textWith(null, { longestRunUs: ms(62) }), /^Not in one call: ≈62 ms at most without a break\. {2}$/m);
  assert.doesNotMatch(textWith(null), /break/);
});

test('the hover of a line says why it may be another one', () => {
  const split = { precision: 'shared', reason: { type: 'splitBySamples', lines: 3 } } as const;
  assert.match(textWith(lineWith(split)), /^≈ for this line: split over 3 lines by samples\.$/m);
  const call = { type: 'callOnLines', callee: '<b>sum</b>', lines: 2, withoutPositions: false } as const;
  const called = lineWith({ precision: 'oneOf', reason: call });
  assert.match(textWith(called), /^One of several lines: \\<b\\>sum\\<\/b\\> may be called on 2 lines\.$/m);
  const whole = lineWith({ precision: 'shared', reason: { type: 'wholeFunction' } });
  assert.match(textWith(whole), /^The whole function\\: no one line is known to have its time\.$/m);
  assert.doesNotMatch(textWith(lineWith()), /line/);
});

test('a line with a part of its function says both figures, and why', () => {
  const shown = { ...hot, worstUs: ms(120), estimated: true };
  const split = { precision: 'shared', reason: { type: 'splitBySamples', lines: 3 } } as const;
  assert.match(
    textWith(lineWith({ shown, ...split })),
    /^\*\*parse\*\* · 312 ms worst .+\n≈120 ms of it on this line: split over 3 lines by samples\.$/m,
  );
  assert.match(
    textWith(lineWith({ shown: { ...hot, worstUs: ms(288) } })),
    /^288 ms of it on this line: the rest is on other lines\.$/m,
  );
});

test('a line of several functions lists each with its own figures, and blames none for the other', () => {
  const other = { ...hot, functionId: 1, label: 'rank*', worstUs: ms(58) };
  const inlined = { precision: 'shared', reason: { type: 'mayBeInlined', callee: 'parse' } } as const;
  const shown = { ...hot, worstUs: ms(370), distinctStacks: 2, estimated: true };
  const text = textWith(lineWith({ shown, ...inlined, functions: [hot, other] }));
  assert.match(text, /^\*\*This line\*\* · ≈370 ms worst · 1 × >10 ms · 2 stacks · 2 functions$/m);
  assert.match(text, /^≈: samples do not tell exactly which of them had how much\.$/m);
  assert.match(text, /^- \*\*parse\*\* · 312 ms worst .+\n- \*\*rank\\\*\*\* · 58 ms worst/m);
  assert.doesNotMatch(text, /may be of parse/);
});

test('the copied Markdown has the figures that every surface shows', () => {
  assert.match(functionMarkdown(details), /^312 ms worst · 1 × >10 ms · 1 stack$/m);
  const place = 'src/order_handler.js:5';
  assert.ok(functionMarkdown({ ...details, place }).includes(`(\`${place}\``), 'a path is as it is written');
});

test('the hover says once what the clock said on a busy machine, and what was not computing', () => {
  assert.match(
    textWith(null, { byClockUs: ms(1410) }),
    /^Its worst time took 1\.41 s by the clock: the machine was busy\./m,
  );
  assert.match(
    textWith(null, { waited: { us: ms(402), in: 'execSync' } }),
    /^During its worst time it waited 402 ms in execSync: the loop was held, and nothing computed\./m,
  );
  assert.doesNotMatch(textWith(null), /by the clock|waited/);
});

test('the hover does not say that a part of a turn waited where only the turn is known to have waited', () => {
  const turn = { doubt: 'turnSlept', estimated: true } as const;
  assert.match(
    textWith(null, { ...turn, samples: 11 }),
    /^≈: the turn that it is a part of waited while .*; 11 samples/m,
  );
  assert.match(textWith(null, { ...turn, samples: 1 }), /^≈: there are too few samples; 1 sample behind the worst\./m);
});

test('the hover and the copied Markdown say that a file was built', () => {
  const said = /^It is in a built file without a source map: build with source maps to see the lines that you wrote\./m;
  assert.match(textWith(null, { isBuilt: true }), said);
  assert.match(functionMarkdown({ ...details, isBuilt: true }), said);
  assert.doesNotMatch(textWith(null), /built/);
});
