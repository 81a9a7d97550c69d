import type { Line0 } from './units.ts';

export interface FunctionPlace {
  readonly functionId: number;
  /** Asks for the line where a hot function holds the loop most. */
  readonly hottest?: true;
  /** Asks for the place where V8 threw code of the function away: number of the deopt. */
  readonly deopt?: number;
}

/** A place by function, or by a frame's untrusted url: `Location.inside` says whether it opens unasked. */
export type Place = FunctionPlace | { readonly url: string; readonly line: number };

export interface Location {
  readonly uri: string;
  readonly line: Line0;
  readonly character: number;
  readonly inside: boolean;
}

/** A place that is in no file. `why` is a sentence; it contains untrusted text. */
export interface NoLocation {
  readonly why: string;
}

/** Label of what a file runs while it loads: `cart.ts (module)`. */
export function moduleLabel(fileName: string): string {
  return `${fileName} (module)`;
}

export function isModuleLabel(label: string): boolean {
  return label.endsWith(moduleLabel(''));
}
