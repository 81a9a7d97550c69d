import type { FlameAnswer, FlameQuery, FlameSearchAnswer, FlameTiers, FrameCategory } from '../protocol/flame.ts';
import type {
  FlameColors,
  FlameDirection,
  FlameHighlight,
  FlameView,
  HostMessage,
  PageMessage,
  PageState,
} from '../protocol/webview.ts';

/** All that the page knows. Everything on screen is drawn from it. */
export interface State {
  /** The recording that is shown, once the extension has named it. */
  readonly recording: Extract<HostMessage, { type: 'show' }> | null;
  /** Why there is no graph (yet), or what failed: one sentence. */
  readonly notice: Notice | null;
  /** What the person chose; kept across reloads. */
  readonly choices: Omit<PageState, 'version'>;
  readonly answer: FlameAnswer | null;
  readonly found: FlameSearchAnswer | null;
  /** Width of the panel in px. */
  readonly width: number;
  /** The width that the last query was for, in px. */
  readonly askedWidth: number;
  readonly lastId: number;
  /** Ids of the requests whose answers are still wanted. */
  readonly awaited: { readonly query: number | null; readonly search: number | null };
}

export interface Notice {
  readonly kind: 'loading' | 'failed';
  readonly text: string;
}

export type PageEvent =
  | HostMessage
  | { readonly type: 'zoom'; readonly zoom: string }
  | { readonly type: 'toggleHidden'; readonly categories: readonly FrameCategory[] }
  | { readonly type: 'searchFor'; readonly pattern: string }
  | { readonly type: 'turn'; readonly direction: FlameDirection }
  | { readonly type: 'view'; readonly view: FlameView }
  | { readonly type: 'color'; readonly colors: FlameColors }
  | { readonly type: 'splitTiers'; readonly tiers: FlameTiers }
  | { readonly type: 'highlight'; readonly highlight: FlameHighlight }
  | { readonly type: 'showAll' }
  | { readonly type: 'resize'; readonly width: number };

export interface Step {
  readonly state: State;
  readonly send: readonly PageMessage[];
}

/** The first state, from what an earlier page kept. */
export function initialState(kept: PageState | null): State {
  const { recording, zoom, hide, pattern, direction, view, colors, tiers, highlight, operation } = kept ?? freshChoices;
  return {
    recording: null,
    notice: { kind: 'loading', text: 'Reading the recording…' },
    choices: { recording, zoom, hide, pattern, direction, view, colors, tiers, highlight, operation },
    answer: null,
    found: null,
    width: 0,
    askedWidth: 0,
    lastId: 0,
    awaited: { query: null, search: null },
  };
}

/** The next state after an event, and the messages to the extension that follow from it. */
export function step(state: State, event: PageEvent): Step {
  switch (event.type) {
    case 'loading':
      return still({ ...state, notice: { kind: 'loading', text: event.text } });
    case 'show':
      return show(state, event);
    case 'answer':
      return event.id === state.awaited.query ? answered(state, event.answer) : still(state);
    case 'searchAnswer':
      if (event.id !== state.awaited.search) return still(state);
      return still({ ...state, found: event.answer, awaited: { ...state.awaited, search: null } });
    case 'failed':
      return still(failed(state, event.id, event.text));
    case 'focus':
      return focus(state, event);
    case 'showAll':
      return askAll(choose(state, { operation: null, zoom: '' }));
    case 'refresh':
      return askAll(state);
    case 'zoom':
      return askAll(choose(state, { zoom: event.zoom }));
    case 'toggleHidden':
      return askAll(choose(state, { hide: toggled(state.choices.hide, event.categories) }));
    case 'searchFor':
      return search(choose(state, { pattern: event.pattern }));
    case 'turn':
      return still(choose(state, { direction: event.direction }));
    case 'view':
      return still(choose(state, { view: event.view }));
    case 'color':
      return askAll(choose(state, { colors: event.colors }));
    case 'splitTiers':
      return askAll(choose(state, { tiers: event.tiers }));
    case 'highlight':
      return still(choose(state, { highlight: event.highlight }));
    case 'resize':
      return resize({ ...state, width: event.width });
  }
}

/** What is kept across reloads; null as long as there is nothing to return to. */
export function keptState(state: State): PageState | null {
  return state.recording === null ? null : { version: 1, ...state.choices };
}

const freshChoices: State['choices'] = {
  recording: '',
  zoom: '',
  hide: [],
  pattern: '',
  direction: 'icicle',
  view: 'graph',
  colors: 'category',
  tiers: 'split',
  highlight: 'none',
  operation: null,
};

/** Width in px below which frames cannot be seen. */
const leastFrameWidth = 0.5;
/** Width in px for a panel that has not been laid out yet. */
const usualWidth = 1000;
/** If the panel grows by this factor, frames that were too small before have room. */
const askAgainGrowth = 1.25;

function show(state: State, recording: NonNullable<State['recording']>): Step {
  const isSame = recording.recording === state.choices.recording;
  const colors = recording.isTiers ? 'tier' : 'category';
  const anew = { recording: recording.recording, zoom: '', pattern: '', colors, operation: null } as const;
  const choices = isSame ? state.choices : { ...state.choices, ...anew };
  const notice = { kind: 'loading', text: 'Drawing the graph…' } as const;
  return askAll({ ...state, recording, choices, notice, answer: null, found: null });
}

/** Zooms to a function, in all operations or only in its worst one. The engine knows which one that is. */
function focus(state: State, { functionId, alone }: { readonly functionId: number; readonly alone: boolean }): Step {
  return ask(choose(state, { operation: null }), alone ? { functionId, worstOf: functionId } : { functionId });
}

/**
 * Takes an answer over. The engine decides which frame and operation it is about: the page may have asked by function,
 * or the zoomed frame may be hidden now.
 */
function answered(state: State, answer: FlameAnswer): Step {
  const operation = answer.operation?.number ?? null;
  const next: State = {
    ...choose(state, { zoom: answer.zoom, operation }),
    answer,
    notice: null,
    awaited: { ...state.awaited, query: null },
  };
  const isSame = answer.zoom === state.choices.zoom && operation === state.choices.operation;
  return isSame ? still(next) : search(next);
}

function failed(state: State, id: number | null, text: string): State {
  const { query, search } = state.awaited;
  if (id === null)
    return { ...state, answer: null, notice: { kind: 'failed', text }, awaited: { query: null, search: null } };
  if (id === query) return { ...state, notice: { kind: 'failed', text }, awaited: { query: null, search } };
  if (id === search)
    return { ...state, found: null, notice: { kind: 'failed', text }, awaited: { query, search: null } };
  return state;
}

function resize(state: State): Step {
  const isGrown = state.width > state.askedWidth * askAgainGrowth;
  return isGrown && state.recording !== null ? ask(state, { zoom: state.choices.zoom }) : still(state);
}

function askAll(state: State): Step {
  const asked = ask(state, { zoom: state.choices.zoom });
  const searched = search(asked.state);
  return { state: searched.state, send: [...asked.send, ...searched.send] };
}

function ask(state: State, place: Pick<FlameQuery, 'zoom' | 'functionId' | 'worstOf'>): Step {
  if (state.recording === null) return still(state);
  const id = state.lastId + 1;
  const width = state.width > 0 ? state.width : usualWidth;
  const query = { ...place, ...scopeOf(state.choices), leastShare: leastFrameWidth / width };
  return {
    state: { ...state, lastId: id, askedWidth: width, awaited: { ...state.awaited, query: id } },
    send: [{ type: 'query', id, query }],
  };
}

function search(state: State): Step {
  const { pattern, zoom } = state.choices;
  const next = { ...state, found: null, awaited: { ...state.awaited, search: null } };
  if (state.recording === null || pattern === '') return still(next);
  const id = state.lastId + 1;
  return {
    state: { ...next, lastId: id, awaited: { ...state.awaited, search: id } },
    send: [{ type: 'search', id, search: { pattern, zoom, ...scopeOf(state.choices) } }],
  };
}

function scopeOf({
  hide,
  colors,
  tiers,
  operation,
}: State['choices']): Pick<FlameQuery, 'hide' | 'tiers' | 'operation'> {
  return { hide, ...(colors === 'tier' ? { tiers } : {}), ...(operation === null ? {} : { operation }) };
}

function toggled(hidden: readonly FrameCategory[], categories: readonly FrameCategory[]): readonly FrameCategory[] {
  const others = hidden.filter((category) => !categories.includes(category));
  return others.length === hidden.length ? [...hidden, ...categories] : others;
}

function choose(state: State, choices: Partial<State['choices']>): State {
  return { ...state, choices: { ...state.choices, ...choices } };
}

function still(state: State): Step {
  return { state, send: [] };
}
