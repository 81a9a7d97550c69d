import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn, ms } from '../../../helpers/drawn-hotspots.ts';
import { type DrawnProfile, drawProfile } from '../../../helpers/drawn-profile.ts';
import { firstFunctionNode } from '../../../../engine/read/samples/call-tree.ts';

test('a sample of a node that is not there is native code, and that is said', async () => {
  const profile = drawProfile('parse parse parse');
  const [first = 0, , last = 0] = profile.samples;
  const { fn, report } = await hotspotsIn({
    '/rec/a.cpuprofile': JSON.stringify({ ...profile, samples: [first, 999, last] }),
  });
  assert.equal(fn('parse').worstUs, ms(3), 'bridged as native code between equal stacks is');
  assert.match(report.warnings.join(), /1 sample of unknown nodes/);
});

test('a function in several scripts of one place is one function', async () => {
  const profile = drawProfile(`
    first second
    parse parse
  `);
  const nodes = profile.nodes.map((node) => ({ ...node, callFrame: { ...node.callFrame, scriptId: String(node.id) } }));
  const { report, fn } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify({ ...profile, nodes }) });
  assert.equal(report.functions.length, 3);
  assert.equal(fn('parse').totalUs, ms(2));
});

test('nodes of one function below one parent are one, and so is what is below them', async () => {
  const profile = drawProfile(`
    main  main
    parse .
    walk  .
  `);
  const [main = 0, parse = 0, walk = 0] = ['main', 'parse', 'walk'].map((name) => idOf(profile, name));
  const twins = profile.nodes
    .map((node) => (node.id === main ? { ...node, children: [parse, 100] } : node))
    .concat(
      [parse, walk].map((id, index) => ({
        ...(profile.nodes.find((node) => node.id === id) ?? assert.fail()),
        id: 100 + index,
        children: index === 0 ? [101] : [],
      })),
    );
  const files = { '/rec/a.cpuprofile': JSON.stringify({ ...profile, nodes: twins, samples: [walk, 101] }) };
  const { fn, report, analysis } = await hotspotsIn(files);
  assert.equal(analysis.streams[0]?.tree.size, firstFunctionNode + 3);
  assert.deepEqual([fn('walk').selfUs, fn('parse').distinctStacks], [ms(2), fn('walk').distinctStacks]);
  assert.equal(report.functions.length, 3);
});

function idOf({ nodes }: DrawnProfile, name: string): number {
  return nodes.find(({ callFrame }) => callFrame.functionName === name)?.id ?? assert.fail();
}

test('what is sampled last lasts until the profile ends', async () => {
  const profile = drawProfile('parse parse');
  const ending = { ...profile, endTime: profile.endTime + 5000 };
  const { fn } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify(ending) });
  assert.equal(fn('parse').totalUs, ms(7));
});
