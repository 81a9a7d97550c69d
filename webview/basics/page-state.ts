import type {
  FlameAnswer,
  FlameFrame,
  FlameQuery,
  FlameSearchAnswer,
  FoundFrame,
  FrameCategory,
  FunctionColumn,
} from '../../protocol/flame.ts';
import type { RunPart, Timeline, TimelineQuery } from '../../protocol/time.ts';
import type { FlameView, HostMessage, PageMessage, PageState } from '../../protocol/webview.ts';

export type Choices = Required<Omit<PageState, 'version'>>;

/** All that the page knows. Everything on screen is drawn from it. */
export interface State {
  /** The recording that is shown, once the extension has named it. */
  readonly recording: Extract<HostMessage, { type: 'show' }> | null;
  /** Why there is no graph (yet), or what failed: one sentence. */
  readonly notice: { readonly kind: 'loading' | 'failed'; readonly text: string } | null;
  /** A hint about what is on screen: one sentence. The person's next action removes it. */
  readonly note: string | null;
  /** What the person chose; survives a reload. */
  readonly choices: Choices;
  /** The choices of the last question, and the choices of the question whose answer is on screen. */
  readonly asked: Choices;
  readonly shown: Choices;
  readonly answer: FlameAnswer | null;
  readonly found: FlameSearchAnswer | null;
  /** The turns over time; null until they arrive, and in a diff. */
  readonly timeline: Timeline | null;
  /** The last question about turns, and its id until it is answered. */
  readonly askedTimeline: TimelineQuery | null;
  readonly timelineId: number | null;
  /** The current match of the search. */
  readonly at: FoundFrame | null;
  /** Id of the frame that the page was opened for, until the person looks at something else. */
  readonly chosen: string | null;
  /** How often the extension has asked the page to show something. The page takes the focus each time. */
  readonly arrivals: number;
  /** Width of the panel in px. */
  readonly width: number;
  /** Whether the last query asked only for the largest frames, so that another one follows. */
  readonly isCoarse: boolean;
  /** Width of the panel in the last query, in px. */
  readonly askedWidth: number;
  /** By how many operations the last question moves from the chosen one. */
  readonly steps: number;
  /** Where the last question goes. */
  readonly place: AskedPlace;
  readonly lastId: number;
  /** Ids of the open requests. */
  readonly awaited: { readonly query: number | null; readonly search: number | null };
  /** Whether the heaviest match of the open search is to be brought on screen. */
  readonly isFinding: boolean;
}

/** The place that a question asks for: a frame, a function, its worst operation, a match, an operation. */
export type AskedPlace = Pick<FlameQuery, 'zoom' | 'functionId' | 'reveal' | 'worstOf' | 'find' | 'operations'>;

/** Messages that change the state. `takeAway` copies or saves, and changes nothing. */
export type StateMessage = Exclude<HostMessage, { readonly type: 'takeAway' }>;

export type PageEvent =
  | StateMessage
  | { readonly type: 'zoom'; readonly zoom: string }
  | { readonly type: 'toggleFolded'; readonly categories: readonly FrameCategory[] }
  /** `fold` reverses an `unfold` of the same id. */
  | { readonly type: 'unfold' | 'fold'; readonly id: string }
  | { readonly type: 'searchFor'; readonly pattern: string; readonly isRegex: boolean }
  | { readonly type: 'goToMatch'; readonly step: 1 | -1 }
  /** Shows the worst operation of a function alone. */
  | { readonly type: 'worst'; readonly functionId: number }
  /** Shows a function with its callers and callees. */
  | { readonly type: 'around'; readonly functionId: number }
  | { readonly type: 'part'; readonly part: RunPart }
  /** Shows one of the long operations. */
  | { readonly type: 'pick'; readonly operation: number }
  /** Moves by this many rows in the list of operations. */
  | { readonly type: 'stepOperation'; readonly step: number }
  /** Draws an operation in time order, or by time; null switches. */
  | { readonly type: 'inTime'; readonly isInTime: boolean | null }
  | { readonly type: 'sort'; readonly by: FunctionColumn }
  /** Shows the heaviest place of a function in the graph. */
  | { readonly type: 'showInGraph'; readonly functionId: number }
  | { readonly type: 'view'; readonly view: FlameView }
  /** Choices that need other frames. */
  | { readonly type: 'choose'; readonly choices: Partial<Pick<Choices, 'colors' | 'tiers' | 'side' | 'operations'>> }
  /** Choices that only change how the frames on the page are drawn. */
  | { readonly type: 'redraw'; readonly choices: Partial<Pick<Choices, 'direction' | 'highlight'>> }
  | { readonly type: 'showAll' }
  | { readonly type: 'resize'; readonly width: number };

/** What the parts of the page can do. */
export interface Actions {
  readonly dispatch: (event: PageEvent) => void;
  /** Sends a message to the extension. */
  readonly post: (message: PageMessage) => void;
}

/** What the views of frames can do in addition. */
export interface FrameActions extends Actions {
  readonly zoom: (id: string) => void;
  /** Opens the source, or says that there is none. */
  readonly open: (frame: FlameFrame) => void;
  /** Shows the card of a frame beside `box`, which is in px on the screen; null hides the card. */
  readonly point: (frame: FlameFrame | null, box: DOMRect | null) => void;
}

export interface PagePart {
  readonly element: HTMLElement;
  readonly update: (state: State) => void;
}

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
    place: {},
    lastId: 0,
    awaited: { query: null, search: null },
    isFinding: false,
  };
}

/** What survives a reload; null before a recording is shown. */
export function keptState({ recording, choices }: State): PageState | null {
  return recording === null ? null : { version: 2, ...choices };
}

export const freshChoices: Choices = {
  recording: '',
  written: '',
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

/** Another search, or one in other times, starts the numbers of its matches again: none is current then. */
export function choose(state: State, changed: Partial<Choices>): State {
  const choices = { ...state.choices, ...changed };
  const isSame = numberedBy.every((key) => choices[key] === state.choices[key]);
  return { ...state, choices, at: isSame ? state.at : null };
}

const numberedBy = ['pattern', 'isRegex', 'operation', 'part', 'side', 'perOperationOf'] as const;

/** A step that sends nothing. */
export function still(state: State): Step {
  return { state, send: [] };
}

export function isWholeRun({ lane, range }: RunPart): boolean {
  return lane === null && range === null;
}
