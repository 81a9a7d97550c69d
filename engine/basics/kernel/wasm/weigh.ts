import * as memory from './memory';

/**
 * Weighs operations one after the other. An operation's call tree has only the nodes it ran in, each at a place,
 * parents before their children. Place 0 is the root.
 */

/** Nodes below it are not functions, and have no place. As in samples/call-tree.ts. */
const firstFunctionNode: i32 = 4;
/** Longest sample that is kept, in µs. */
const longestSample: f64 = 4294967295;

/** Number of places, the root's included. */
export let placeCount: i32 = 1;
/** Weight of the samples that have no stack, in µs. */
let bareWeight: f64 = 0;
/** Each flag that any of the places has. */
let placeFlags: i32 = 0;

export function weightOfBare(): f64 {
  return bareWeight;
}

/** Makes room for the call tree of the next isolate, in place of the one before, and gives the end of all room. */
export function beginTree(size: i32): i32 {
  placeCount = 1;
  return memory.makeRoomForTree(size);
}

/** Begins the next operation. */
export function beginOperation(): void {
  for (let place = 1; place < placeCount; place++) {
    store<i32>(memory.placeOf + (load<i32>(memory.nodes + (place << 2)) << 2), 0);
  }
  placeCount = 1;
  bareWeight = 0;
  placeFlags = 0;
  store<i32>(memory.nodes, 0);
  store<i32>(memory.functions, 0);
  store<i32>(memory.parents, 0);
  store<i32>(memory.firstSamples, 0);
  store<f64>(memory.weights, 0);
  store<f64>(memory.totals, 0);
  store<i32>(memory.samples, 0);
  store<i32>(memory.longest, 0);
}

/**
 * Adds `count` samples of the window from `first` on. `sample` is the first one's number in the isolate.
 * `isMeasured`: the longest sample matters.
 */
export function addSamples(first: i32, count: i32, sample: i32, isMeasured: bool): void {
  const nodes = memory.windowNodes + (first << 2);
  const weights = memory.windowWeights + (first << 3);
  for (let at = 0; at < count; at++) {
    addSample(load<i32>(nodes + (at << 2)), load<f64>(weights + (at << 3)), sample + at, isMeasured);
  }
}

// @ts-ignore: decorator
@inline
function addSample(node: i32, weight: f64, sample: i32, isMeasured: bool): void {
  if (node < firstFunctionNode) {
    bareWeight += weight;
    return;
  }
  let place = load<i32>(memory.placeOf + (node << 2));
  if (place == 0) place = enter(node, sample);
  const sum = memory.weights + (place << 3);
  store<f64>(sum, load<f64>(sum) + weight);
  const count = memory.samples + (place << 2);
  store<i32>(count, load<i32>(count) + 1);
  if (!isMeasured) return;
  const longest = memory.longest + (place << 2);
  if (weight > f64(load<u32>(longest))) store<u32>(longest, u32(min(weight, longestSample)));
}

/** Gives places to all nodes on the path to this one that have none yet, outermost first. The result is its own. */
function enter(leaf: i32, sample: i32): i32 {
  const known = placeCount;
  let outside = leaf;
  while (outside >= firstFunctionNode && load<i32>(memory.placeOf + (outside << 2)) == 0) {
    placeCount++;
    outside = load<i32>(memory.treeParents + (outside << 2));
  }
  let node = leaf;
  for (let place = placeCount - 1; place >= known; place--) {
    const at = place << 2;
    store<i32>(memory.placeOf + (node << 2), place);
    store<i32>(memory.nodes + at, node);
    store<i32>(memory.functions + at, load<i32>(memory.treeFunctions + (node << 2)));
    store<i32>(memory.parents + at, place - 1);
    store<i32>(memory.firstSamples + at, sample);
    store<i32>(memory.samples + at, 0);
    store<i32>(memory.longest + at, 0);
    store<f64>(memory.weights + (place << 3), 0);
    store<f64>(memory.totals + (place << 3), 0);
    placeFlags |= i32(load<u8>(memory.treeFlags + node));
    node = load<i32>(memory.treeParents + (node << 2));
  }
  const above = outside < firstFunctionNode ? 0 : load<i32>(memory.placeOf + (outside << 2));
  store<i32>(memory.parents + (known << 2), above);
  return placeCount - 1;
}

/** Adds up what is at each place and below it, and gives the number of places. */
export function sumUp(): i32 {
  for (let place = placeCount - 1; place > 0; place--) {
    const total = memory.totals + (place << 3);
    const weight = load<f64>(total) + load<f64>(memory.weights + (place << 3));
    store<f64>(total, weight);
    const above = memory.totals + (load<i32>(memory.parents + (place << 2)) << 3);
    store<f64>(above, load<f64>(above) + weight);
  }
  return placeCount;
}

/** Each flag that a place has. */
export function flagsOfPlaces(): i32 {
  return placeFlags;
}

/** Counts the samples at each place and below it, and finds the longest of them. */
export function countBelow(): void {
  for (let place = 0; place < placeCount; place++) {
    const at = place << 2;
    store<i32>(memory.samplesBelow + at, load<i32>(memory.samples + at));
    store<u32>(memory.longestBelow + at, load<u32>(memory.longest + at));
  }
  for (let place = placeCount - 1; place > 0; place--) {
    const at = place << 2;
    const above = load<i32>(memory.parents + at) << 2;
    const count = memory.samplesBelow + above;
    store<i32>(count, load<i32>(count) + load<i32>(memory.samplesBelow + at));
    const longest = memory.longestBelow + above;
    store<u32>(longest, max(load<u32>(longest), load<u32>(memory.longestBelow + at)));
  }
}
