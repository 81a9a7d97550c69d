import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metaNodes, createTreeBuilder } from '../../../../engine/read/samples/call-tree.ts';
import { hotspotsIn, ms } from '../../../helpers/drawn-hotspots.ts';

test('the same path of functions is the same node', () => {
  const builder = createTreeBuilder();
  const parse = builder.child(metaNodes.root, 0);
  assert.equal(builder.child(metaNodes.root, 0), parse);
  assert.notEqual(builder.child(parse, 0), parse);
});

test('ticks of one line of one frame are added up, by node', () => {
  const builder = createTreeBuilder();
  const first = builder.child(metaNodes.root, 0);
  const second = builder.child(first, 1);
  builder.addTicks(second, 0, 7, 1);
  builder.addTicks(first, 0, 9, 2);
  builder.addTicks(first, 0, 8, 1);
  builder.addTicks(first, 0, 9, 3);
  const { start, line, count } = builder.build().ticks();
  assert.deepEqual([...start.slice(first)], [0, 2, 3]);
  assert.deepEqual([...line], [8, 9, 7]);
  assert.deepEqual([...count], [1, 5, 1]);
});

test('functions under a meta frame hang where that frame hangs', async () => {
  const callFrame = { scriptId: '0', lineNumber: 3, columnNumber: 1 };
  const nodes = [
    { id: 1, callFrame: { ...callFrame, functionName: '(root)', url: '' }, children: [2] },
    { id: 2, callFrame: { ...callFrame, functionName: '(program)', url: '' }, children: [3] },
    { id: 3, callFrame: { ...callFrame, functionName: 'parse', url: 'file:///app/src/app.ts' } },
  ];
  const profile = { nodes, samples: [3], timeDeltas: [0], startTime: 0, endTime: 3000 };
  const { analysis, fn } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify(profile) });
  assert.equal(fn('parse').totalUs, ms(3));
  assert.equal(analysis.streams[0]?.tree.parent[4], metaNodes.root);
});
