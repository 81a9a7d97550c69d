import type { Microseconds } from '../../protocol/units.ts';

/** Load time of one module: what it asks for, found, read, transformed, compiled and evaluated. */
export interface ModuleLoad {
  /** `(loader)` for what no module asked for. */
  readonly url: string;
  readonly self: Microseconds;
  readonly total: Microseconds;
}
