/** The layout of the kernel's memory: addresses in bytes. Each list begins at a whole number of 8 bytes. */

/** Longest duration in µs of each class but the last one. */
export const classBounds: i32 = 1 << 9;
export const boundCount: i32 = 4;

/** So many samples are looked at at once: JavaScript copies them into the window. */
export const windowSize: i32 = 1 << 16;
/** Weight in µs, and node, by sample of the window. */
export const windowWeights: i32 = 1 << 10;
export const windowNodes: i32 = windowWeights + windowSize * 8;
const windowEnd: i32 = windowNodes + windowSize * 4;

// By function id, of the operation that was weighed last. The functions that were in it are a list, and so are those
// over the threshold, and those whose worst it is.
export let functionWeights: i32 = 0;
export let present: i32 = 0;
export let long: i32 = 0;
export let worst: i32 = 0;
export let functionSamples: i32 = 0;
export let functionLongest: i32 = 0;
/** Number of the last operation in which the function was. */
export let lastIn: i32 = 0;
/** Number of the isolate's first sample with the function; −1 for none. */
export let firstSeen: i32 = 0;

// Figures over all operations, by figure: of event loops by function id, and behind them those of background threads.
export let worstWeights: i32 = 0;
export let worstWarmWeights: i32 = 0;
export let worstStarts: i32 = 0;
export let mostWeights: i32 = 0;
/** Five numbers for each figure, one for each class of durations. */
export let classCounts: i32 = 0;

// The isolate's call tree, by node.
export let treeParents: i32 = 0;
export let treeFunctions: i32 = 0;
/** `nodeFlags` of kernel.ts. */
export let treeFlags: i32 = 0;
/** Place in the operation's tree; 0 for a node in which the operation was not. */
export let placeOf: i32 = 0;

// The operation's tree, by place.
export let weights: i32 = 0;
export let totals: i32 = 0;
export let nodes: i32 = 0;
export let functions: i32 = 0;
export let parents: i32 = 0;
export let firstSamples: i32 = 0;
export let samples: i32 = 0;
export let longest: i32 = 0;
export let samplesBelow: i32 = 0;
export let longestBelow: i32 = 0;

let next: i32 = windowEnd;
let functionsEnd: i32 = windowEnd;

function list(length: i32, bytes: i32): i32 {
  const start = next;
  next += (length * bytes + 7) & ~7;
  return start;
}

/** Makes room for so many functions, once and before any tree, and gives the end of all room. */
export function makeRoomForFunctions(count: i32): i32 {
  functionWeights = list(count, 8);
  present = list(count, 4);
  long = list(count, 4);
  worst = list(count, 4);
  functionSamples = list(count, 4);
  functionLongest = list(count, 4);
  lastIn = list(count, 4);
  firstSeen = list(count, 4);
  worstWeights = list(count * 2, 8);
  worstWarmWeights = list(count * 2, 8);
  worstStarts = list(count * 2, 8);
  mostWeights = list(count * 2, 8);
  classCounts = list(count * 2 * (boundCount + 1), 4);
  functionsEnd = next;
  return next;
}

/** Makes room for a call tree, in place of the one before, and gives the end of all room. */
export function makeRoomForTree(size: i32): i32 {
  next = functionsEnd;
  treeParents = list(size, 4);
  treeFunctions = list(size, 4);
  treeFlags = list(size, 1);
  placeOf = list(size, 4);
  weights = list(size, 8);
  totals = list(size, 8);
  nodes = list(size, 4);
  functions = list(size, 4);
  parents = list(size, 4);
  firstSamples = list(size, 4);
  samples = list(size, 4);
  longest = list(size, 4);
  samplesBelow = list(size, 4);
  longestBelow = list(size, 4);
  return next;
}
