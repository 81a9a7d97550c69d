import type { CodePositions } from './code-positions.ts';

/** A code object that V8 made. */
export interface Code {
  readonly start: number;
  /** Not included. */
  readonly end: number;
  /** Which function it is of, and how it was compiled, as `frameKind`; −1 where it is no frame (built-ins). */
  readonly kind: number;
  /** An interpreted frame stands at the bytecode that runs; one of machine code, behind the call. */
  readonly isBytecode: boolean;
  readonly positions: CodePositions;
}

/** Packs which function ran, and how. `tier` is an index into `tiers`. */
export function frameKind(fn: number, tier: number, isInlined: boolean, isOsr: boolean): number {
  return fn * 32 + tier + (isInlined ? 8 : 0) + (isOsr ? 16 : 0);
}

export function functionOf(kind: number): number {
  return kind >> 5;
}

export function tierOf(kind: number): number {
  return kind & 7;
}

export function isInlined(kind: number): boolean {
  return (kind & 8) !== 0;
}

export function isOsr(kind: number): boolean {
  return (kind & 16) !== 0;
}
