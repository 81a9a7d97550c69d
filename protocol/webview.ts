import type {
  FlameAnswer,
  FlameQuery,
  FlameSearch,
  FlameSearchAnswer,
  FlameTiers,
  FrameCategory,
  FunctionOrder,
} from './flame.ts';
import type { DiffView } from './diff.ts';
import type { OperationOrder, RunPart, Timeline, TimelineQuery } from './time.ts';
import type { Line1, Microseconds } from './units.ts';

/** Ids ≥ this are side requests (copy, save): they never cancel the drawing request. */
export const firstAsideId = 1_000_000_000;

/**
 * Messages of the flamegraph page to the extension, which checks them with webview-guard.ts.
 *
 * The page sends `ready` when it can listen. The extension answers with `loading` or `show`, then perhaps `focus`. From
 * `show` on the page sends `query`, `search` and `timeline`; one message with the same `id` answers each, if only
 * `failed`. The page ignores outdated answers.
 */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'query'; readonly id: number; readonly query: FlameQuery }
  | { readonly type: 'search'; readonly id: number; readonly search: FlameSearch }
  | { readonly type: 'timeline'; readonly id: number; readonly timeline: TimelineQuery }
  /** `url` comes from a profile and is not trusted: outside of the workspace it opens only if the person confirms. */
  | { readonly type: 'openSource'; readonly url: string; readonly line: Line1 }
  /** Asks for the text of a function that is gone. */
  | { readonly type: 'openBefore'; readonly functionId: number }
  /** Asks for the place where V8 threw code away. `deopt` is the index in `FlameCode.deopts`. */
  | { readonly type: 'openDeopt'; readonly functionId: number; readonly deopt: number }
  | { readonly type: 'profileAgain' }
  | { readonly type: 'recordTiers' }
  /** Asks for the recording of tiers that the last answer names. */
  | { readonly type: 'openTiers' }
  | { readonly type: 'openProfile' }
  | { readonly type: 'copy'; readonly text: string }
  /** Asks to save a picture where the person chooses. `data` is SVG, or PNG in base 64. */
  | { readonly type: 'savePicture'; readonly form: PictureForm; readonly data: string };

export type HostMessage =
  /** There is nothing to draw yet. `text` is one sentence about what is going on. */
  | { readonly type: 'loading'; readonly text: string }
  /** A recording. The page keeps its zoom, search and filters if it is the same as before. */
  | {
      readonly type: 'show';
      /** Names the recording; the page keeps it in its state. */
      readonly recording: string;
      /** Another text for another reading under this name: ids of frames, functions and operations belong to one. */
      readonly written: string;
      /** `npm test in packages/api`. */
      readonly title: string;
      /** `312 ms worst in cloneCatalogue, src/catalogue.js:12`. */
      readonly verdict: string;
      /** The function that the page opens at; null for none. */
      readonly finding: number | null;
      /** The workspace's folders, as paths or `file:` urls, which shorten paths. */
      readonly folders: readonly string[];
      /** Threshold of a long operation. */
      readonly thresholdUs: Microseconds;
      /** True for a recording of V8's tiers, which the page shows at first. */
      readonly isTiers: boolean;
      /** Present where there is no own code: then other people's code is not folded at first. */
      readonly isOthersAlone?: true;
      readonly isDiff: boolean;
      /** True for tiers while the lines show the figures of a profile: this is another run. */
      readonly isSecondRun: boolean;
      /** ISO 8601; null where not known. */
      readonly startedAt: string | null;
    }
  /** More is known of what is shown: the page asks again. */
  | { readonly type: 'refresh' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: FlameAnswer }
  | { readonly type: 'searchAnswer'; readonly id: number; readonly answer: FlameSearchAnswer }
  | { readonly type: 'timelineAnswer'; readonly id: number; readonly answer: Timeline }
  /** A request failed (`id`), or the recording cannot be shown (`null`): a sentence with what to do. */
  | { readonly type: 'failed'; readonly id: number | null; readonly text: string }
  /**
   * Shows a function with its callers and callees (`alone`: in its worst operation). A diff zooms to its heaviest place
   * instead; with `side`, `alone` shows only its operations on that side.
   */
  | { readonly type: 'focus'; readonly functionId: number; readonly alone: boolean; readonly side?: DiffView }
  /** Shows one operation alone, by its number in the report. */
  | { readonly type: 'showOperation'; readonly operation: number }
  /** A sentence: something cannot be shown. What is on screen stays. */
  | { readonly type: 'note'; readonly text: string }
  /** Copies or saves what is shown. */
  | { readonly type: 'takeAway'; readonly form: TakenForm };

export const takenForms = ['markdown', 'svg', 'png'] as const;
export type TakenForm = (typeof takenForms)[number];
export type PictureForm = Exclude<TakenForm, 'markdown'>;

/** What the page keeps by `setState`, and a reload of the window restores. */
export interface PageState {
  readonly version: 2;
  readonly recording: string;
  /** Id of the zoomed frame; `''` for everything. */
  readonly zoom: string;
  readonly folded: readonly FrameCategory[];
  /** Ids of frames that are unfolded nevertheless. */
  readonly open: readonly string[];
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly direction: FlameDirection;
  readonly view: FlameView;
  /** The function with callers and callees; null where none was chosen yet. */
  readonly around: number | null;
  readonly order: FunctionOrder;
  readonly colors: FlameColors;
  readonly tiers: FlameTiers;
  readonly highlight: FlameHighlight;
  /** Number of the only shown operation; null for all. */
  readonly operation: number | null;
  /** Earlier versions did not keep this, the selected part of the run, and the next two. */
  readonly written?: string;
  readonly part?: RunPart;
  readonly operations?: OperationOrder;
  /** Whether that operation is in time order. */
  readonly isInTime?: boolean;
  readonly side: DiffView;
  /** The function whose operations alone a diff shows; null for whole runs. */
  readonly perOperationOf: number | null;
}

/** Kinds of code, or V8's tiers. */
export type FlameColors = 'category' | 'tier';
/** Highlighted frames in tier mode. */
export type FlameHighlight = 'none' | 'optimized' | 'notOptimized';

/** `icicle`: callers above callees. `flame`: callees above callers. */
export type FlameDirection = 'icicle' | 'flame';
/**
 * `tree`: frames as rows. `functions`: all functions. `around`: one function, its callers and callees. `operations`:
 * the long operations, and one of them.
 */
export const flameViews = ['graph', 'operations', 'around', 'functions', 'tree'] as const;
export type FlameView = (typeof flameViews)[number];
