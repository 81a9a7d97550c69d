import type { Tier } from '../samples/tiered-samples.ts';
import type { Column1, Line1, Microseconds } from '../../protocol/units.ts';

/** What V8 made of the functions of a recording. */
export interface Tiers {
  /** Null where the recording itself holds them; else the second run that they are of. */
  readonly secondRun: SecondRun | null;
  /** By function id; functions that were at the top of no tick in JavaScript are not there. */
  readonly functions: ReadonlyMap<number, FunctionTiers>;
}

/** A recording of tiers of the same target, made before or after the profile. */
export interface SecondRun {
  /** Of its folder, absolute. */
  readonly path: string;
  /** ISO 8601; null where it does not say. */
  readonly startedAt: string | null;
  /** Of Node.js, where it ran on none that the profile ran on: another V8 optimizes otherwise. */
  readonly otherNode: string | null;
  /**
   * Files of the profile that have changed since the first of the two runs began, absolute, the person's own first: one place in them may be two
   * functions, or two texts of one. Nothing is taken over of what stands there.
   */
  readonly changedFiles: readonly string[];
}

/** Figures of one function over all isolates. Source: docs/definition.md, rule 17. */
export interface FunctionTiers {
  /**
   * Time of the ticks in VM state JS whose innermost JavaScript frame it was, by what ran that frame: built-ins on top
   * included, other states not. `unknown` is 0 where V8 logged the function.
   */
  readonly times: Readonly<Record<Tier, Microseconds>>;
  readonly ticks: number;
  /** Of that time, what ran inlined into another function, by that function; most first. Its code is that function's. */
  readonly hosts: readonly Host[];
  readonly code: CodeHistory;
  /** The function around it, where each call of that makes it anew: its name for people; null where nothing says so. */
  readonly madeIn: string | null;
}

export interface Host {
  /** −1 where the profile does not know it: tiers of a second run. */
  readonly functionId: number;
  readonly time: Microseconds;
}

/** What was compiled of a function, and thrown away again, in the order of time. */
export interface CodeHistory {
  readonly compilations: readonly Compilation[];
  /** Without those that end no code: V8 leaves a loop for better code of it by a deopt, too. */
  readonly deopts: readonly FunctionDeopt[];
}

/** `time` is on the clock of the samples, in µs. */
export interface Compilation {
  readonly time: Microseconds;
  readonly tier: Tier;
  /** It was entered in the middle of a loop. Known from Node 26 on. */
  readonly osr: boolean;
}

export interface FunctionDeopt {
  readonly time: Microseconds;
  /** The tier of the code that was thrown away. */
  readonly tier: Tier;
  /** As V8 writes it: `deopt-eager`, `deopt-lazy`, `dependency-change`. */
  readonly kind: string;
  /** V8's words: `wrong map`. */
  readonly reason: string;
  /** Where, as written: the original's place where a source map says so. In the text of another function where that was inlined. */
  readonly place: CodePlace;
}

/** Line and column count from 1; 0 where V8 does not say. */
export interface CodePlace {
  readonly url: string;
  readonly line: Line1;
  readonly column: Column1;
}
