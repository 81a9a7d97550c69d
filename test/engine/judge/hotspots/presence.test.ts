import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn, hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';

test('presence is the time with a function anywhere on the stack', async () => {
  const { worst } = await hotspotsOf(`
    handler handler handler handler
    parse   .       parse   render
  `);
  assert.equal(worst('handler'), ms(4));
  assert.equal(worst('parse'), ms(2));
});

test('recursion counts once', async () => {
  const { fn } = await hotspotsOf(`
    walk walk walk
    .    walk walk
    .    .    walk
  `);
  assert.equal(fn('walk').worstUs, ms(3));
  assert.equal(fn('walk').totalUs, ms(3));
  assert.equal(fn('walk').selfUs, ms(3));
});

test('worst is the longest in one operation, the long count how many are over the threshold', async () => {
  const { fn } = await hotspotsOf('tick tick tick (idle) tick tick (idle) tick tick tick tick (idle) tick');
  assert.equal(fn('tick').worstUs, ms(4));
  assert.equal(fn('tick').longCount, 2, '2 ms is the threshold, not over it');
  assert.equal(fn('tick').totalUs, ms(10));
  assert.equal(fn('tick').worstSamples, 4);
});

test('presences are counted by class', async () => {
  const { fn } = await hotspotsOf(`
    ms   1    1      10   1      11   1      101  1      501  500
         tick (idle) tick (idle) tick (idle) tick (idle) tick tick
  `);
  assert.deepEqual(fn('tick').presences, { fast: 1, medium: 1, slow: 1, verySlow: 1, monster: 1 });
});

test('samples weigh by their time', async () => {
  const { fn } = await hotspotsOf(`
    ms 60   1
    parse render
    `);
  assert.equal(fn('parse').selfUs, ms(60));
});

test('self and total are the same in a second process: one function', async () => {
  const { fn, report } = await hotspotsOf('parse parse (idle) parse', { turns: [[0, 2]] });
  assert.equal(fn('parse').totalUs, ms(3));
  assert.equal(report.functions.length, 1);
});

test('the first presence in a thread is cold: the warm worst leaves it out', async () => {
  const { fn } = await hotspotsOf('parse parse parse parse parse (idle) parse parse parse (idle) parse');
  assert.equal(fn('parse').worstUs, ms(5));
  assert.equal(fn('parse').worstWarmUs, ms(3));
  assert.equal(fn('parse').culprit?.worstWarmUs, ms(3));
});

test('a function that was seen before, outside of all turns, is warm', async () => {
  const { fn } = await hotspotsOf('parse (idle) parse parse parse', { turns: [[2, 5]] });
  assert.equal(fn('parse').worstWarmUs, ms(3));
});

test('a measured figure with few samples behind it, or a gap inside it, is an estimate', async () => {
  const estimated = async (drawing: string, end: number): Promise<boolean | undefined> => {
    const { fn } = await hotspotsOf(drawing, { turns: [[0, end]], threshold: 1 });
    return fn('parse').culprit?.estimated;
  };
  assert.equal(await estimated('parse parse parse', 3), false);
  assert.equal(await estimated('parse parse', 2), true);
  assert.equal(await estimated('ms 1 1 6 1 2\nparse parse parse parse render', 11), true);
  assert.equal(await estimated('ms 1 1 5 1 2\nparse parse parse parse render', 10), false);
  assert.equal(await estimated('ms 1 1 6 1\nparse parse parse parse', 9), false, 'nobody else was there');
});

test('a gap of a tenth of a measured figure leaves it exact, a longer one does not', async () => {
  const estimatedWith = async (samples: number): Promise<boolean | undefined> => {
    const drawing = `ms 6${' 1'.repeat(samples)}${' 1'.repeat(9)}\nparse${' parse'.repeat(samples)}${' render'.repeat(9)}`;
    const { fn } = await hotspotsOf(drawing, { turns: [[0, 15 + samples]] });
    return fn('parse').culprit?.estimated;
  };
  assert.equal(await estimatedWith(54), false);
  assert.equal(await estimatedWith(53), true);
});

test('what took 100 ms the first time may be warming up, what took longer is none', async () => {
  const warmWorst = async (first: number): Promise<number> => {
    const { fn } = await hotspotsOf(`ms ${first} 1 3\nparse (idle) parse`);
    return fn('parse').worstWarmUs;
  };
  assert.equal(await warmWorst(100), ms(3));
  assert.equal(await warmWorst(100.001), ms(100.001));
});

test('each thread warms up for itself: what is first in one is cold, though another had it long before', async () => {
  const { fn } = await hotspotsIn({
    '/rec/recording.json': '{"cwd":"/app"}',
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile('parse parse parse (idle) parse parse parse parse')),
    '/rec/8-0-y.0.cpuprofile': JSON.stringify(drawProfile('render (idle) parse parse parse parse parse')),
  });
  assert.deepEqual([fn('parse').worstUs, fn('parse').worstWarmUs, fn('parse').longCount], [ms(5), ms(4), 3]);
});
