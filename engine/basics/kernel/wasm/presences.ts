import * as memory from './memory';
import { countBelow, placeCount } from './weigh';

/** Sums the time of each function and its callees in the operation weighed last. Recursion counts once. */

/** Flag of nodes above which the same function is not: `nodeFlags` of kernel.ts. */
const outermost: i32 = 1;

/** Number of the functions that were in the operation, of those over the threshold, and of those whose worst it is. */
let presentCount: i32 = 0;
let longCount: i32 = 0;
let worstCount: i32 = 0;

export function numberOfPresent(): i32 {
  return presentCount;
}

export function numberOfLong(): i32 {
  return longCount;
}

export function numberOfWorst(): i32 {
  return worstCount;
}

let threshold: f64 = 0;
let longestWarmUp: f64 = 0;
let operation: i32 = 0;

/** Sets, in µs, when something is long, and how long it may be to count as warming up. */
export function setLimits(long: f64, warmUp: f64): void {
  threshold = long;
  longestWarmUp = warmUp;
}

/**
 * Counts the presences of an operation that began at `start` and held the loop for `held` (µs). `firstFigure` is 0, or
 * the number of functions for a background thread. True if a function is over the threshold or had its worst.
 */
export function countPresences(start: f64, held: f64, firstSample: i32, lastSample: i32, firstFigure: i32): bool {
  weighFunctions();
  longCount = 0;
  worstCount = 0;
  for (let at = 0; at < presentCount; at++) {
    const fn = load<i32>(memory.present + (at << 2));
    const weight = load<f64>(memory.functionWeights + (fn << 3));
    const seen = load<i32>(memory.firstSeen + (fn << 2));
    // As in function-figures/estimates.ts.
    const isCold = weight <= longestWarmUp && seen >= firstSample && seen < lastSample;
    if (countPresence(firstFigure + fn, weight, start, held, isCold)) {
      store<i32>(memory.worst + (worstCount++ << 2), fn);
    }
    if (weight > threshold) store<i32>(memory.long + (longCount++ << 2), fn);
  }
  return longCount > 0 || worstCount > 0;
}

/** Adds a presence to a figure. True if it is the worst so far. Of equal ones the first in time is the worst. */
// @ts-ignore: decorator
@inline
function countPresence(figure: i32, weight: f64, start: f64, held: f64, isCold: bool): bool {
  const most = memory.mostWeights + (figure << 3);
  store<f64>(most, max(load<f64>(most), min(held, weight)));
  const count = memory.classCounts + ((figure * (memory.boundCount + 1) + classOf(weight)) << 2);
  store<i32>(count, load<i32>(count) + 1);
  const warm = memory.worstWarmWeights + (figure << 3);
  if (!isCold && weight > load<f64>(warm)) store<f64>(warm, weight);
  const worst = load<f64>(memory.worstWeights + (figure << 3));
  if (weight == 0 || weight < worst) return false;
  const starts = memory.worstStarts + (figure << 3);
  if (weight == worst && start >= load<f64>(starts)) return false;
  store<f64>(memory.worstWeights + (figure << 3), weight);
  store<f64>(starts, start);
  return true;
}

// @ts-ignore: decorator
@inline
function classOf(weight: f64): i32 {
  let number = 0;
  while (number < memory.boundCount && weight > load<f64>(memory.classBounds + (number << 3))) number++;
  return number;
}

function weighFunctions(): void {
  operation++;
  presentCount = 0;
  for (let place = 1; place < placeCount; place++) {
    const fn = outermostAt(place);
    if (fn < 0) continue;
    const weight = load<f64>(memory.totals + (place << 3));
    const sum = memory.functionWeights + (fn << 3);
    const last = memory.lastIn + (fn << 2);
    if (load<i32>(last) == operation) store<f64>(sum, load<f64>(sum) + weight);
    else {
      store<i32>(last, operation);
      store<i32>(memory.present + (presentCount++ << 2), fn);
      store<f64>(sum, weight);
    }
  }
}

/** The function at a place; −1 where the same function is above it. */
// @ts-ignore: decorator
@inline
function outermostAt(place: i32): i32 {
  const node = load<i32>(memory.nodes + (place << 2));
  const isOutermost = (i32(load<u8>(memory.treeFlags + node)) & outermost) != 0;
  return isOutermost ? load<i32>(memory.functions + (place << 2)) : -1;
}

/** Counts the samples of each function that was in the operation, and finds the longest of them. */
export function countSamples(): void {
  countBelow();
  for (let at = 0; at < presentCount; at++) {
    const fn = load<i32>(memory.present + (at << 2));
    store<i32>(memory.functionSamples + (fn << 2), 0);
    store<i32>(memory.functionLongest + (fn << 2), 0);
  }
  for (let place = 1; place < placeCount; place++) {
    const fn = outermostAt(place);
    if (fn < 0) continue;
    const count = memory.functionSamples + (fn << 2);
    store<i32>(count, load<i32>(count) + load<i32>(memory.samplesBelow + (place << 2)));
    const longest = memory.functionLongest + (fn << 2);
    store<u32>(longest, max(load<u32>(longest), load<u32>(memory.longestBelow + (place << 2))));
  }
}
