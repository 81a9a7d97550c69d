import fc from 'fast-check';
import { type DrawnProfile, profileOf } from '../../test/helpers/drawn-profile.ts';

/** Profiles as V8 writes them: own code, packages, loaders, runners, recursion, truncated stacks, all meta frames. */
export function soundProfile(): fc.Arbitrary<DrawnProfile> {
  return fc
    .array(sample, { minLength: 1, maxLength: 25 })
    .map((samples) =>
      profileOf(
        samples.map(({ stack }) => stack),
        samples.map(({ duration }) => duration),
      ),
    )
    .chain((profile) => fc.nat(40).map((seed) => withTicks(profile, seed)));
}

const frame = fc.constantFrom(
  ...['parse', 'render', 'walk', 'cart.ts#sum', 'cart.ts#<module>', 'lib.ts#<module>', 'test#case'],
  ...['bcryptjs#hash', '@acme/cart#<module>', 'mocha#run', 'jest-runtime#require', 'vite-node/dist/client.js#load'],
  ...['node:internal/modules/cjs#load', 'node:fs#read', 'native#now', '[eval]#run'],
);
const shallow = fc.array(frame, { minLength: 1, maxLength: 6 });
const main = ['main', 'run'];
/** Stacks of a chain of calls that all deep stacks share: whole, or what V8 keeps of them. */
const deep = fc.tuple(fc.integer({ min: 90, max: 260 }), fc.boolean(), shallow).map(([count, isCut, inner]) => {
  const calls = Array.from({ length: count }, (_, depth) => `f${depth}`);
  return isCut ? [...calls, ...inner].slice(-128) : [...main, ...calls, ...inner];
});
const meta = fc.constantFrom(['(idle)'], ['(gc)'], ['(program)'], ['(root)']);
const sample = fc.record({
  stack: fc.oneof(
    { weight: 20, arbitrary: shallow },
    { weight: 8, arbitrary: meta },
    { weight: 2, arbitrary: fc.constant(main) },
    { weight: 1, arbitrary: deep },
  ),
  /** In ms. */
  duration: fc.constantFrom(0, 0.001, 0.5, 1, 1, 1, 3, 12, 1500),
});

/** Some nodes know the lines of their samples. */
function withTicks(profile: DrawnProfile, seed: number): DrawnProfile {
  const nodes = profile.nodes.map((node, index) => {
    const { lineNumber } = node.callFrame;
    const ticks = [0, 1, 2].map((step) => ({ line: lineNumber + 1 + ((seed + index) % 3) * step, ticks: 1 + step }));
    return (index + seed) % 3 === 0 || lineNumber < 0 ? node : { ...node, positionTicks: ticks.slice(index % 3) };
  });
  return { ...profile, nodes };
}
