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

/** Ids from here on are of questions beside those of what is drawn: neither replaces the other. */
export const firstAsideId = 1_000_000_000;

/**
 * Messages between the flamegraph page and the extension. Both check what arrives: the extension with webview-guard.ts,
 * the page with `isHostMessage` (webview/state.ts).
 *
 * The page says `ready` when it can listen. The extension answers with `loading` or `show`, and may send `focus` after
 * it. From `show` on the page asks by `query`, `search` and `timeline`; each is answered by one message with the same `id`,
 * `failed` at worst. Answers that the person has moved on from are ignored by the page.
 */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'query'; readonly id: number; readonly query: FlameQuery }
  | { readonly type: 'search'; readonly id: number; readonly search: FlameSearch }
  | { readonly type: 'timeline'; readonly id: number; readonly timeline: TimelineQuery }
  /**
   * `url` is as in `FlameFrame`. It comes from a profile and is not trusted: open it only inside the workspace, or when
   * the person confirms.
   */
  | { readonly type: 'openSource'; readonly url: string; readonly line: Line1 }
  /** Asks for the text that ran before, of a function that is gone. */
  | { readonly type: 'openBefore'; readonly functionId: number }
  /** Asks for the place where V8 threw code of a function away. `deopt` is the number in `FlameCode.deopts`. */
  | { readonly type: 'openDeopt'; readonly functionId: number; readonly deopt: number }
  /** Asks to profile what was profiled last once more, because there is nothing to see here. */
  | { readonly type: 'profileAgain' }
  /** Asks to run what was profiled once more, for V8's tiers. */
  | { readonly type: 'recordTiers' }
  /** Asks to show the recording of tiers that the last answer names. */
  | { readonly type: 'openTiers' }
  /** Asks to show the profile again whose figures the lines have. */
  | { readonly type: 'openProfile' }
  /** Asks to put what is shown on the clipboard, as Markdown. */
  | { readonly type: 'copy'; readonly text: string }
  /** Asks to save a picture of what is shown, where the person chooses. `data` is SVG, or PNG in base 64. */
  | { readonly type: 'savePicture'; readonly form: PictureForm; readonly data: string };

export type HostMessage =
  /** There is nothing to draw yet. `text` is one sentence that says what is being done. */
  | { readonly type: 'loading'; readonly text: string }
  /** A recording is there. The page keeps its zoom, search and filters if this is the recording that it showed last. */
  | {
      readonly type: 'show';
      /** Names the recording to the extension; the page keeps it in its state for the panel's serializer. */
      readonly recording: string;
      /** What was run: `npm test in packages/api`. */
      readonly title: string;
      /** One sentence about the whole recording: `312 ms worst in cloneCatalogue, src/catalogue.js:12`. */
      readonly verdict: string;
      /** The function that the page opens at, by its id in the analysis; null where none is to be shown first. */
      readonly finding: number | null;
      /** The workspace's folders, as paths or `file:` urls: what lies below one is shown from there. */
      readonly folders: readonly string[];
      /** Threshold over which an operation counts as long, for the figures of a frame. */
      readonly thresholdUs: Microseconds;
      /** True for a recording of V8's tiers: a page that shows it for the first time begins with them. */
      readonly isTiers: boolean;
      /** Present where none of it is the person's own code: then code of others is not folded at first. */
      readonly isOthersAlone?: true;
      /** True for a diff of two sides. */
      readonly isDiff: boolean;
      /**
       * True for a recording of V8's tiers while the lines show the figures of a profile: this is another run, with
       * other figures.
       */
      readonly isSecondRun: boolean;
      /** ISO 8601; null where not known. */
      readonly startedAt: string | null;
    }
  /** More is known now of what is shown: the page asks again for what is on screen. */
  | { readonly type: 'refresh' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: FlameAnswer }
  | { readonly type: 'searchAnswer'; readonly id: number; readonly answer: FlameSearchAnswer }
  | { readonly type: 'timelineAnswer'; readonly id: number; readonly answer: Timeline }
  /** A request failed (`id`), or the whole recording cannot be shown (`null`): one sentence that says what to do. */
  | { readonly type: 'failed'; readonly id: number | null; readonly text: string }
  /**
   * Shows a function with its callers and callees, because a lens or a tree item was clicked. `alone`: only in its worst
   * operation. A diff zooms to its heaviest place instead. In a diff with `side`, `alone` means only its operations, as that side has them.
   */
  | { readonly type: 'focus'; readonly functionId: number; readonly alone: boolean; readonly side?: DiffView }
  /** Shows one operation alone, by its number in the report, because a row about it was clicked. */
  | { readonly type: 'showOperation'; readonly operation: number }
  /** Something that the person asked for cannot be shown: one sentence. What is on screen stays. */
  | { readonly type: 'note'; readonly text: string }
  /** Copies or saves what is shown, because the person ran the command. */
  | { readonly type: 'takeAway'; readonly form: TakenForm };

/** In which forms what is shown can be taken away. */
export const takenForms = ['markdown', 'svg', 'png'] as const;
export type TakenForm = (typeof takenForms)[number];
export type PictureForm = Exclude<TakenForm, 'markdown'>;

/** What the page keeps by `setState`, and what the panel's serializer gets after a reload of the window. */
export interface PageState {
  readonly version: 2;
  readonly recording: string;
  /** Id of the zoomed frame; `''` for everything. */
  readonly zoom: string;
  /** Kinds of code that are folded. */
  readonly folded: readonly FrameCategory[];
  /** Ids of frames that are unfolded all the same. */
  readonly open: readonly string[];
  readonly pattern: string;
  /** True where the pattern is a regular expression. */
  readonly isRegex: boolean;
  readonly direction: FlameDirection;
  readonly view: FlameView;
  /** The function whose callers and callees are looked at; null where none was chosen yet. */
  readonly around: number | null;
  /** The order of the list of functions. */
  readonly order: FunctionOrder;
  readonly colors: FlameColors;
  readonly tiers: FlameTiers;
  readonly highlight: FlameHighlight;
  /** Number of the only operation that is shown; null for all. */
  readonly operation: number | null;
  /** The part of the run that is looked at. This and the next two are absent in what earlier versions kept. */
  readonly part?: RunPart;
  /** The order of the list of operations. */
  readonly operations?: OperationOrder;
  /** Whether an operation of that list is drawn in time order, not by time. */
  readonly isInTime?: boolean;
  /** Whose times a diff shows. */
  readonly side: DiffView;
  /** The function whose operations alone a diff shows; null for whole runs. */
  readonly perOperationOf: number | null;
}

/** What the colours mean: kinds of code, or V8's tiers. */
export type FlameColors = 'category' | 'tier';
/** Frames that stand out in tier mode. */
export type FlameHighlight = 'none' | 'optimized' | 'notOptimized';

/** `icicle`: callers above callees. `flame`: callees above callers. */
export type FlameDirection = 'icicle' | 'flame';
/**
 * `tree`: the frames as rows. `functions`: a list of all functions. `around`: one function, its callers and callees.
 * `operations`: a list of the long operations, and one of them.
 */
export const flameViews = ['graph', 'operations', 'around', 'functions', 'tree'] as const;
export type FlameView = (typeof flameViews)[number];
