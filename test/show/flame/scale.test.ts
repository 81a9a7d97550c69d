import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../helpers/drawn-cases.ts';
import { flameOf } from '../../../show/flame/flame.ts';
import { foldTree, type Owners, ownersOf } from '../../../show/flame/fold-tree.ts';
import { createTree } from '../../../show/flame/flame-tree.ts';
import type { FlameTree } from '../../../show/flame/frame-run.ts';
import { type FlameFrame, type FrameCategory, frameCategories } from '../../../protocol/flame.ts';
import { hotspotsOfProfiles } from '../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../helpers/drawn-profile.ts';
import { plainFold } from './plain-fold.ts';

const functions: readonly { readonly category: FrameCategory; readonly packageName: string | null }[] = [
  ...(['own', 'own', 'test'] as const).map((category) => ({ category, packageName: null })),
  ...['lib', 'lib', 'dep'].map((packageName) => ({ category: 'dependency' as const, packageName })),
  ...(['node', 'native', 'native'] as const).map((category) => ({ category, packageName: null })),
];
const owners: Owners = ownersOf(functions);
/** A path of functions, with a way in which each ran; a number beyond the functions is a collection. */
const paths = fc.array(fc.array(fc.tuple(fc.nat(functions.length), fc.nat(2)), { maxLength: 9 }), { maxLength: 30 });
const kinds = fc.subarray(['dependency', 'node', 'native', 'gc'] as const);
const opened = fc.array(fc.nat(30).map(String), { maxLength: 6 });

test('folding without a look-up gives the same frames as looking up each of them', () => {
  fc.assert(
    fc.property(paths, kinds, opened, fc.boolean(), fc.boolean(), (drawn, folded, open, isSplit, isTiered) => {
      const merged = treeOf(drawn, isTiered);
      const options = { fold: { kinds: folded, open }, isSplit, owners };
      assert.deepEqual(foldTree(merged, options), plainFold(merged, options));
      const apart = { ...options, fold: { ...options.fold, apart: true as const } };
      assert.deepEqual(foldTree(merged, apart), plainFold(merged, apart));
      const none = { ...options, fold: null };
      assert.deepEqual(foldTree(merged, none), plainFold(merged, none));
    }),
    { numRuns: 500 },
  );
});

test('what is pruned for a width is what a full answer has there, whatever was asked before', async () => {
  const stack = fc.array(fc.constantFrom('a', 'b', 'c', 'lib#d', 'dep#e', 'node:fs#f', 'native#g'), {
    minLength: 1,
    maxLength: 8,
  });
  const share = fc.constantFrom(0.02, 0.1, 0.4);
  const stacks = fc.array(stack, { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(stacks, kinds, opened, share, async (samples, folded, open, leastShare) => {
      const { analysis } = await hotspotsOfProfiles([profileOf(samples)]);
      const fold = { kinds: folded, open };
      const full = flameOf(analysis, { fold, leastShare: 0 });
      for (const zoom of ['', '2', '5']) {
        const zoomed = flameOf(analysis, { fold, leastShare: 0, zoom });
        const pruned = flameOf(analysis, { fold, leastShare, zoom });
        const least = leastShare * (find(zoomed.root, zoomed.zoom)?.value ?? 0);
        assert.deepEqual(find(pruned.root, pruned.zoom), prune(find(full.root, zoomed.zoom), least));
        assert.deepEqual(pruned.selfByCategory, zoomed.selfByCategory);
      }
    }),
    { numRuns: 60 },
  );
});

function treeOf(drawn: readonly (readonly (readonly [number, number])[])[], isTiered: boolean): FlameTree {
  const tree = createTree();
  for (const path of drawn) {
    let frame = 0;
    for (const [functionId, run] of path) {
      const isCollection = functionId === functions.length;
      const category = frameCategories.indexOf(isCollection ? 'gc' : (functions[functionId]?.category ?? 'own'));
      frame = tree.child(frame, isCollection ? -1 : functionId, category, isTiered ? run : 0);
    }
  }
  return tree.finished();
}

function find(frame: FlameFrame, id: string): FlameFrame | undefined {
  return frame.id === id ? frame : frame.children.map((child) => find(child, id)).find((found) => found !== undefined);
}

/** Without the frames below a time, which is hidden then. */
function prune(frame: FlameFrame | undefined, least: number): FlameFrame | undefined {
  if (frame === undefined) return undefined;
  const children = frame.children.filter(({ value }) => value >= least).map((child) => prune(child, least) ?? child);
  const hiddenUs = frame.value - frame.selfUs - children.reduce((sum, { value }) => sum + value, 0);
  return Object.assign({}, frame, { hiddenUs, children });
}
