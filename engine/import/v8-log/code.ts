import { tierNumbers } from '../../samples/tiered-samples.ts';
import type { CodePositions } from './code-positions.ts';

/** A code object that V8 made. There are many: what is not in it takes no memory. */
export interface Code {
  readonly start: number;
  /** In bytes. */
  readonly size: number;
  /** Which function it is of, and how it was compiled, as `frameKind`; −1 where it is no frame (built-ins). */
  readonly kind: number;
  readonly positions: CodePositions;
}

/** An interpreted frame stands at the bytecode that runs; one of machine code, behind the call. */
export function isBytecode({ kind }: Code): boolean {
  return kind >= 0 && tierOf(kind) === tierNumbers.ignition;
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
