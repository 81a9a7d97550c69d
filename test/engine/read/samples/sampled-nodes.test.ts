import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graftTruncated } from '../../../../engine/cut/streams/graft-truncated.ts';
import { createTreeBuilder } from '../../../../engine/read/samples/call-tree.ts';
import { roomForNodes, withRoomFor } from '../../../../engine/read/samples/cpu-profile.ts';

test('samples take 2 bytes where the tree has few nodes, and 4 where a new node needs them', () => {
  assert.ok(roomForNodes(1, 60_000) instanceof Uint16Array);
  assert.ok(roomForNodes(1, 65_535) instanceof Int32Array);
  const sampled = Uint16Array.of(7, 65_535);
  assert.equal(withRoomFor(65_535, sampled), sampled);
  assert.deepEqual(withRoomFor(65_536, sampled), Int32Array.of(7, 65_535));
});

test('stacks that get their outer frames back as nodes beyond 2 bytes keep their samples', () => {
  const builder = createTreeBuilder();
  const outer = builder.child(0, 1);
  const [entry, other, lone] = [builder.child(outer, 2), builder.child(outer, 3), builder.child(0, 3)];
  for (let last = lone; last < 65_535;) last = builder.child(0, last);
  const tree = builder.build();
  const nodes = [other, entry, lone, entry];
  const wide = graftTruncated({ tree, nodes: Int32Array.from(nodes) });
  const narrow = graftTruncated({ tree, nodes: Uint16Array.from(nodes) });
  assert.deepEqual([...wide.nodes], [other, entry, 65_536, entry]);
  assert.deepEqual([...narrow.nodes], [...wide.nodes]);
});
