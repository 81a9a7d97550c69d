import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../helpers/drawn-cases.ts';
import { Kernel, nodeFlags, startKernelScript } from '../../../../engine/basics/kernel/kernel.ts';
import { firstFunctionNode } from '../../../../engine/read/samples/call-tree.ts';

// That what a kernel finds is right is shown against the plain reference (differential.test.ts), run by run.

const functionCount = 5;
const mostNodes = firstFunctionNode + 30;

const node = fc.record({
  parent: fc.nat(),
  fn: fc.nat(functionCount - 1),
  flags: fc.constantFrom(0, nodeFlags.outermost, nodeFlags.outermost | nodeFlags.loads),
});
const sample = fc.record({ node: fc.nat(), weight: fc.constantFrom(0, 1, 9, 700, 5_000, 2e6, 5e9) });
const isolate = fc.record({
  tree: fc.array(node, { minLength: 1, maxLength: 30 }),
  samples: fc.array(sample, { minLength: 1, maxLength: 40 }),
  /** Numbers of samples in the operations, one after the other. */
  operations: fc.array(fc.nat({ max: 12 }), { maxLength: 8 }),
  isMeasured: fc.boolean(),
  isBackground: fc.boolean(),
});
type Isolate = typeof isolate extends fc.Arbitrary<infer Drawn> ? Drawn : never;

test('in WebAssembly and in JavaScript a kernel finds the same', () => {
  const property = fc.property(fc.array(isolate, { minLength: 1, maxLength: 4 }), (isolates) => {
    const script = judged(new Kernel(functionCount, mostNodes, startKernelScript), isolates);
    assert.deepEqual(script, judged(new Kernel(functionCount, mostNodes), isolates));
  });
  fc.assert(property, { numRuns: 300 });
});

/** All that the kernel says about these isolates: of each operation, and in the end the figures. */
function judged(kernel: Kernel, isolates: readonly Isolate[]): readonly unknown[] {
  kernel.calls.setLimits(10, 100);
  const operations = isolates.flatMap((one) => judgedIsolate(kernel, one));
  return [...operations, kernel.figures, kernel.classCounts];
}

function judgedIsolate(kernel: Kernel, { tree, samples, operations, isMeasured, isBackground }: Isolate) {
  const { calls } = kernel;
  const lists = kernel.beginTree(firstFunctionNode + tree.length);
  lists.placeOf.fill(0);
  for (const [index, { parent, fn, flags }] of tree.entries()) {
    const above = parent % (index + 1);
    lists.treeParents[firstFunctionNode + index] = above === 0 ? 0 : firstFunctionNode + above - 1;
    lists.treeFunctions[firstFunctionNode + index] = fn;
    lists.treeFlags[firstFunctionNode + index] = flags;
  }
  kernel.functions.firstSeen.set([2, -1, -1, -1, -1]);
  kernel.window.windowNodes.set(samples.map((one) => one.node % (firstFunctionNode + tree.length)));
  kernel.window.windowWeights.set(samples.map(({ weight }) => weight));
  let first = 0;
  return operations.map((count) => {
    const last = Math.min(samples.length, first + count);
    calls.beginOperation();
    calls.addSamples(first, last - first, first, isMeasured);
    const size = calls.sumUp();
    const isNews = calls.countPresences(first, 3000, first, last, isBackground ? functionCount : 0);
    calls.countSamples();
    const found = listsOf(kernel, lists, size);
    first = last;
    return [calls.weightOfBare(), calls.flagsOfPlaces(), isNews, found];
  });
}

function listsOf(kernel: Kernel, lists: ReturnType<Kernel['beginTree']>, size: number) {
  const { calls, functions } = kernel;
  const { nodes, parents, firstSamples, samples, longest, weights, totals } = lists;
  const present = [...functions.present.subarray(0, calls.numberOfPresent())];
  return [
    ...[nodes, lists.functions, samples, longest, weights, totals].map((list) => [...list.subarray(0, size)]),
    ...[parents, firstSamples].map((list) => [...list.subarray(1, size)]),
    present.map((fn) => [
      fn,
      functions.functionSamples[fn],
      functions.functionLongest[fn],
      functions.functionWeights[fn],
    ]),
    [...functions.long.subarray(0, calls.numberOfLong())],
    [...functions.worst.subarray(0, calls.numberOfWorst())],
  ];
}
