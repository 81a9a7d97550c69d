import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DrawnProfile, drawProfile } from '../../../helpers/drawn-profile.ts';
import { hotspotsOfProfiles, ms } from '../../../helpers/drawn-hotspots.ts';

/** Its clock is the time of day, as in the profiles of Bun. */
function atTimeOfDay(profile: DrawnProfile): DrawnProfile {
  const since = 1_795_272_280_789_641.5;
  return { ...profile, startTime: profile.startTime + since, endTime: profile.endTime + since };
}

const waiting = 'ms 1 15 1 9\ntick tick tick tick\n. . . parse';

test('where Bun waits, nobody works', async () => {
  const { fn, operations } = await hotspotsOfProfiles([atTimeOfDay(drawProfile(waiting))]);
  assert.deepEqual([fn('tick').worstUs, fn('tick').totalUs, fn('parse').worstUs], [ms(10), ms(12), ms(9)]);
  assert.equal(operations.length, 2);
});

test('a profile of V8 that sampled nothing for long says who was at work', async () => {
  const { fn } = await hotspotsOfProfiles([drawProfile(waiting)]);
  assert.equal(fn('tick').totalUs, ms(26));
});

test('a whole module of Bun is a module body', async () => {
  const profile = atTimeOfDay(drawProfile('cart.ts#<module> cart.ts#<module>'));
  const nodes = profile.nodes.map((node) => {
    const { callFrame } = node;
    return callFrame.functionName === '' ? { ...node, callFrame: { ...callFrame, functionName: '(module)' } } : node;
  });
  const { fn } = await hotspotsOfProfiles([{ ...profile, nodes }]);
  assert.equal(fn('').moduleBody, true);
});
