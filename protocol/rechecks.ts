import type { DiffSides } from './diff.ts';

/** What all surfaces say of a function that is re-checked. `text` is short enough for a lens. */
export type Recheck = { readonly type: 'running'; readonly text: string } | DoneRecheck;

/** What a re-check has measured: shown in the place of the recorded figure, while the code is what it measured. */
export interface DoneRecheck {
  readonly type: 'done';
  /** `157 → 9 ms`. */
  readonly text: string;
  /** What became of a request of its load: `GET /orders p99 540 → 38 ms`. */
  readonly load?: string;
  /** Whether the function became faster: then the person may keep the change. */
  readonly isFaster: boolean;
  /** Whether it is below the threshold now: then it leaves the verdict. */
  readonly isFixed: boolean;
  /** Whether its code has become the baseline of later changes. */
  readonly isKept: boolean;
  /** The runs behind it, for a diff; null where there are none. */
  readonly diff: DiffReference | null;
  /** When it ended, in ms since the epoch. */
  readonly at: number;
}

/** A diff, and where to begin in it: the argument of the command that opens one. */
export interface DiffReference extends DiffSides {
  readonly place: DiffPlace | null;
}

/** A function as a comparison names it. `url` and `line` are those of either side. */
export interface DiffPlace {
  readonly url: string;
  readonly line: number;
  readonly name: string;
}
