import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossesOfOwnCode } from '../../../../engine/judge/hotspots/losses.ts';
import { hotspotsOfProfiles, ms } from '../../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../../helpers/drawn-profile.ts';

test('long operations without a sample are said, beside what is known', async () => {
  const profile = profileOf([['handle'], ['(idle)'], ['parse'], ['(idle)']], [1, 60, 20, 1]);
  const { analysis, culprits } = await hotspotsOfProfiles([profile], {
    turns: [
      [0, 1],
      [5, 50],
      [51, 60],
      [61, 81],
    ],
  });
  assert.deepEqual(culprits, ['parse']);
  const said = [{ type: 'unsampledOperations', operations: 2, worst: ms(45) }];
  assert.deepEqual(
    analysis.warnings.filter(({ type }) => type === 'unsampledOperations'),
    said,
  );
  assert.deepEqual(lossesOfOwnCode(analysis), said);
  assert.deepEqual(lossesOfOwnCode(analysis, ms(50)), []);
});

test('a process that was killed loses nothing of the own code where none of it was seen in the process', async () => {
  const drawn = profileOf([['handle'], ['handle']], [20, 20]);
  const foreign = {
    ...drawn,
    nodes: drawn.nodes.map((node) => ({ ...node, callFrame: { ...node.callFrame, url: '' } })),
  };
  const lossesOf = async (profile: typeof drawn): Promise<readonly string[]> => {
    const { analysis } = await hotspotsOfProfiles([profile], { turns: [[0, 20]], isKilled: true });
    assert.ok(analysis.warnings.some(({ type }) => type === 'cutOff'));
    return lossesOfOwnCode(analysis).map(({ type }) => type);
  };
  assert.deepEqual([await lossesOf(drawn), await lossesOf(foreign)], [['cutOff'], []]);
});
