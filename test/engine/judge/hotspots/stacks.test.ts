import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf } from '../../../helpers/drawn-hotspots.ts';
import { heaviestStacks, mostCollected } from '../../../../engine/judge/hotspots/function-details.ts';

async function stacksTo(name: string, drawing: string): Promise<number> {
  const { fn } = await hotspotsOf(drawing);
  return fn(name).distinctStacks;
}

/** Drawings, and how many stacks lead to a function. */
const drawn: Readonly<Record<string, string>> = {
  'one path in many operations is one stack': `
    route route route (idle) route route route
    parse parse parse .      parse parse parse
    → parse 1`,
  'two callers are two stacks': `
    first first first (idle) second second second
    parse parse parse .      parse  parse  parse
    → parse 2`,
  'paths that are not over the threshold themselves do not count, but the heaviest one': `
    route route route  route  route  route
    first first second second third  third
    parse parse parse  parse  parse  parse
    → parse 1`,
  'two long paths in one operation are two stacks': `
    route route route route  route  route  route
    first first first second second second third
    parse parse parse parse  parse  parse  parse
    → parse 2`,
  'a path that runs in a circle is cut back to where it began': `
    visit visit visit (idle) visit visit visit
    parse parse parse .      child child child
    .     .     .     .      visit visit visit
    .     .     .     .      parse parse parse
    → parse 1`,
  'the path ends at the outermost frame of the function': `
    walk walk walk (idle) walk  walk  walk
    .    .    .    .      child child child
    .    .    .    .      walk  walk  walk
    → walk 1`,
  'what Node, the runner and test code have on top does not tell stacks apart': `
    node:timers#list node:timers#list node:timers#list (idle) mocha#run mocha#run mocha#run (idle) handler handler handler
    handler          handler          handler          .      test#one  test#one  test#one  .      .       .       .
    .                .                .                .      handler   handler   handler   .      .       .       .
    → handler 1`,
  'a test function, which is itself such a frame, ends its own path': `
    mocha#run  mocha#run  mocha#run  (idle) test#suite test#suite test#suite
    test#case  test#case  test#case  .      test#case  test#case  test#case
    → case 1`,
  "a runner's frame further in does": `
    handler handler handler (idle) handler   handler   handler
    parse   parse   parse   .      mocha#run mocha#run mocha#run
    .       .       .       .      parse     parse     parse
    → parse 2`,
};

for (const [name, drawing] of Object.entries(drawn))
  test(name, async () => {
    const [stacks = '', fn = '', count] = drawing.split(/→ | (?=\d$)/);
    assert.equal(await stacksTo(fn, stacks), Number(count));
  });

test('of paths that are as heavy as each other, and none long, the first in time is the stack', async () => {
  const drawing = (later: string): string => `
    route route route (idle) route route route route
    first first first .      ${later}
    parse parse parse .      parse parse parse parse
  `;
  assert.equal(await stacksTo('parse', drawing('first first second second')), 1);
  assert.equal(await stacksTo('parse', drawing('second second first first')), 2);
});

test('the heaviest stacks are those that took most in one operation', async () => {
  const { analysis } = await hotspotsOf(`
    mocha#run mocha#run mocha#run (idle) second second second second
    first     first     first     .      parse  parse  parse  parse
    parse     parse     parse     .      .      .      .      .
  `);
  const { functions } = analysis.functions;
  const parse = functions.findIndex(({ name }) => name === 'parse');
  const stacks = heaviestStacks(analysis, parse, 3).map(({ functionIds, worst, longCount }) => ({
    names: functionIds.map((id) => functions[id]?.name),
    worst: worst / 1000,
    longCount,
  }));
  assert.deepEqual(stacks, [
    { names: ['second', 'parse'], worst: 4, longCount: 1 },
    { names: ['first', 'parse'], worst: 3, longCount: 1 },
  ]);
});

test("a stack's worst is the most that it took in one operation", async () => {
  const { analysis } = await hotspotsOf('parse parse parse (idle) parse parse parse parse');
  const [stack] = heaviestStacks(analysis, 0, 3);
  assert.deepEqual([stack?.worst, stack?.longCount], [4000, 2]);
});

test('collections have a place only where over half of them followed one function', async () => {
  const most = async (drawing: string): Promise<string | undefined> => {
    const { analysis } = await hotspotsOf(drawing);
    return analysis.functions.functions[mostCollected(analysis, [0]) ?? -1]?.name;
  };
  assert.equal(await most('main (gc) main (gc) (idle)\nparse . render . .'), undefined);
  assert.equal(await most('main (gc) (gc) main (gc) (idle)\nparse . . render . .'), 'parse');
});
