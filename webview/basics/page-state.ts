import type { DiffView } from '../../protocol/diff.ts';
import type {
  FlameAnswer,
  FlameSearchAnswer,
  FlameTiers,
  FoundFrame,
  FrameCategory,
  FunctionColumn,
} from '../../protocol/flame.ts';
import type { OperationOrder, RunPart, Timeline, TimelineQuery } from '../../protocol/time.ts';
import type {
  FlameColors,
  FlameDirection,
  FlameHighlight,
  FlameView,
  HostMessage,
  PageMessage,
  PageState,
} from '../../protocol/webview.ts';

/** All that the page knows. Everything on screen is drawn from it. */
export interface State {
  /** The recording that is shown, once the extension has named it. */
  readonly recording: Extract<HostMessage, { type: 'show' }> | null;
  /** Why there is no graph (yet), or what failed: one sentence. */
  readonly notice: Notice | null;
  /** Something to know about what is on screen: one sentence. It goes with the next thing that the person does. */
  readonly note: string | null;
  /** What the person chose; kept across reloads. */
  readonly choices: Required<Omit<PageState, 'version'>>;
  /** The choices that the last question was asked with, and those that what is on screen was asked with. */
  readonly asked: State['choices'];
  readonly shown: State['choices'];
  readonly answer: FlameAnswer | null;
  readonly found: FlameSearchAnswer | null;
  /** The turns over time; null until they are known, and in a diff. */
  readonly timeline: Timeline | null;
  /** What was asked for last, and the id of the question while there is no answer. */
  readonly askedTimeline: TimelineQuery | null;
  readonly timelineId: number | null;
  /** The match that was gone to last. */
  readonly at: FoundFrame | null;
  /** Id of the frame that the page was opened for, until the person goes elsewhere. */
  readonly chosen: string | null;
  /** How often something was shown from elsewhere: the focus goes to it. */
  readonly arrivals: number;
  /** Width of the panel in px. */
  readonly width: number;
  /** Whether the last query was for the largest frames alone, and the others are to follow. */
  readonly isCoarse: boolean;
  /** The width that the last query was for, in px. */
  readonly askedWidth: number;
  /** How many operations further than the chosen one the last question was for. */
  readonly steps: number;
  readonly lastId: number;
  /** Ids of the requests whose answers are still wanted. */
  readonly awaited: { readonly query: number | null; readonly search: number | null };
}

export interface Notice {
  readonly kind: 'loading' | 'failed';
  readonly text: string;
}

/** What the extension tells the state of the page. What it asks to be taken away changes nothing on it. */
export type ToldMessage = Exclude<HostMessage, { readonly type: 'takeAway' }>;

export type PageEvent =
  | ToldMessage
  | { readonly type: 'zoom'; readonly zoom: string }
  | { readonly type: 'toggleFolded'; readonly categories: readonly FrameCategory[] }
  /** Unfolds one frame, or folds again what was unfolded with it. */
  | { readonly type: 'unfold' | 'fold'; readonly id: string }
  | { readonly type: 'searchFor'; readonly pattern: string; readonly isRegex: boolean }
  /** Goes to the next match, or to the one before. */
  | { readonly type: 'goToMatch'; readonly step: 1 | -1 }
  /** Shows the worst operation of a function alone. */
  | { readonly type: 'worst'; readonly functionId: number }
  /** Shows a function with its callers and callees. */
  | { readonly type: 'around'; readonly functionId: number }
  /** Takes only a part of the run. */
  | { readonly type: 'part'; readonly part: RunPart }
  /** Shows one of the long operations; the next one, the one before, or so many on. */
  | { readonly type: 'pick'; readonly operation: number }
  | { readonly type: 'stepOperation'; readonly step: number }
  | { readonly type: 'orderOperations'; readonly by: OperationOrder }
  /** Draws an operation in time order, or by time; null: the other one. */
  | { readonly type: 'inTime'; readonly isInTime: boolean | null }
  | { readonly type: 'sort'; readonly by: FunctionColumn }
  /** Shows the heaviest place of a function in the graph. */
  | { readonly type: 'showInGraph'; readonly functionId: number }
  | { readonly type: 'turn'; readonly direction: FlameDirection }
  | { readonly type: 'view'; readonly view: FlameView }
  | { readonly type: 'color'; readonly colors: FlameColors }
  | { readonly type: 'splitTiers'; readonly tiers: FlameTiers }
  | { readonly type: 'highlight'; readonly highlight: FlameHighlight }
  | { readonly type: 'side'; readonly side: DiffView }
  | { readonly type: 'showAll' }
  | { readonly type: 'resize'; readonly width: number };

export interface Step {
  readonly state: State;
  readonly send: readonly PageMessage[];
}

/** The first state, from what an earlier page kept. */
export function initialState(kept: PageState | null): State {
  const { version: _, ...choices } = { version: 2, ...freshChoices, ...kept };
  return {
    recording: null,
    notice: { kind: 'loading', text: 'Reading the recording…' },
    note: null,
    choices,
    asked: choices,
    shown: choices,
    answer: null,
    found: null,
    timeline: null,
    askedTimeline: null,
    timelineId: null,
    at: null,
    chosen: null,
    arrivals: 0,
    width: 0,
    isCoarse: false,
    askedWidth: 0,
    steps: 0,
    lastId: 0,
    awaited: { query: null, search: null },
  };
}

/** What is kept across reloads; null as long as there is nothing to return to. */
export function keptState(state: State): PageState | null {
  return state.recording === null ? null : { version: 2, ...state.choices };
}

/** What is chosen at first: code of others is folded. */
export const freshChoices: State['choices'] = {
  recording: '',
  zoom: '',
  folded: ['dependency', 'runner', 'node'],
  open: [],
  pattern: '',
  isRegex: false,
  direction: 'icicle',
  view: 'graph',
  around: null,
  order: { by: 'total', isDescending: true },
  colors: 'category',
  tiers: 'split',
  highlight: 'none',
  operation: null,
  part: { lane: null, range: null },
  operations: 'duration',
  isInTime: true,
  side: 'now',
  perOperationOf: null,
};

export function choose(state: State, choices: Partial<State['choices']>): State {
  return { ...state, choices: { ...state.choices, ...choices } };
}

export function still(state: State): Step {
  return { state, send: [] };
}
