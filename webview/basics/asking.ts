import type { FlameQuery } from '../../protocol/flame.ts';
import type { FlameView } from '../../protocol/webview.ts';
import { findPath, listFrames } from './blocks.ts';
import { type AskedPlace, isWholeRun, type State, type Step, still } from './page-state.ts';

/** Asks again if the panel has grown so much that narrower frames fit. */
export function resize(state: State): Step {
  const isGrown = state.width > state.askedWidth * ASK_AGAIN_GROWTH;
  return isGrown && state.recording !== null ? ask(state, awaitedPlace(state)) : still(state);
}

/**
 * Asks first for the largest frames, which arrive soonest, and for the matches of the search. `reveal` is the function
 * that the answer zooms to, as far as it can be read.
 */
export function askCoarse(state: State, reveal: number | null): Step {
  const place = reveal === null ? { zoom: state.choices.zoom } : { reveal };
  return withSearch(ask(state, place, COARSE_FRAME_WIDTH));
}

/** Asks for all visible frames, unless the largest frames are already all of them. */
export function refine(state: State): Step {
  const { answer, isCoarse } = state;
  const roots = [answer?.root, answer?.callers].filter((root) => root !== undefined);
  const isMissing = isCoarse && roots.flatMap(listFrames).some(({ hiddenUs }) => hiddenUs > 0);
  return isMissing ? ask(state, { zoom: state.choices.zoom }) : still({ ...state, isCoarse: false });
}

/** Asks for the frames on screen and for the matches of the search. */
export function askAll(state: State): Step {
  return withSearch(ask(state, { zoom: state.choices.zoom }));
}

/** Asks again for the place that was asked for last, or for what is on screen. */
export function askAgain(state: State): Step {
  return withSearch(ask(state, awaitedPlace(state)));
}

/** Leaves out its operations: `ask` adds the open steps, in the order that is chosen now. */
function awaitedPlace({ awaited, place, choices: { zoom } }: State): AskedPlace {
  const { operations: _, ...open } = place;
  return awaited.query === null ? { zoom } : open;
}

/** Adds the question for the matches of the search. */
export function withSearch({ state, send }: Step): Step {
  const searched = search(state);
  return { state: searched.state, send: [...send, ...searched.send] };
}

/** Asks for the frames at a place that are at least `minWidth` px wide. */
export function ask(state: State, place: AskedPlace, minWidth = MIN_FRAME_WIDTH): Step {
  if (state.recording === null) return still(state);
  const id = state.lastId + 1;
  const width = state.width > 0 ? state.width : USUAL_WIDTH;
  const isFine = minWidth <= MIN_FRAME_WIDTH;
  const shares = { leastShare: minWidth / width, ...(isFine ? {} : { namedShare: NAMED_FRAME_WIDTH / width }) };
  const rows = isFine || !growsDown(state) ? {} : { rows: FIRST_ROWS };
  const operations = place.operations ?? { by: state.choices.operations, step: awaitedSteps(state) };
  const query = { ...place, ...viewScope(state, operations), ...queryScope(state), ...shares, ...rows };
  return {
    state: {
      ...{ ...state, lastId: id, askedWidth: width, asked: state.choices, steps: operations.step, place },
      isCoarse: !isFine && query.functions === undefined, // A list has no frames that could follow.
      awaited: { ...state.awaited, query: id },
    },
    send: [{ type: 'query', id, query }],
  };
}

/** By how many operations the open question moves from the chosen one: the next question has to add them. */
export function awaitedSteps({ awaited, asked, choices, steps }: State): number {
  const isOfChoice =
    choices.view === 'operations' && asked.view === 'operations' && asked.operation === choices.operation;
  return awaited.query !== null && isOfChoice ? steps : 0;
}

export function search(state: State): Step {
  const { pattern, isRegex } = state.choices;
  const next = { ...state, awaited: { ...state.awaited, search: null } };
  if (state.recording === null || pattern === '') return still({ ...next, found: null });
  const id = state.lastId + 1;
  return {
    state: { ...next, lastId: id, awaited: { ...state.awaited, search: id } },
    send: [{ type: 'search', id, search: { pattern, isRegex, ...queryScope(state) } }],
  };
}

/** Whether a frame is on screen at its place below the zoomed one, and wide enough to be seen. */
export function isInSight(id: string, { answer, shown, width, awaited }: State): boolean {
  if (answer === null || awaited.query !== null) return false;
  const zoomed = findPath(answer.root, shown.zoom).at(-1) ?? answer.root;
  const frame = findPath(zoomed, id).at(-1);
  return frame?.id === id && frame.value * width >= MIN_MATCH_WIDTH * zoomed.value;
}

/** What a view needs in addition to the graph. A diff has only the graph. */
function viewScope(
  { recording, choices: { view, order, isInTime } }: State,
  operations: NonNullable<FlameQuery['operations']>,
): Pick<FlameQuery, 'functions' | 'operations' | 'inTime' | 'zoom'> {
  if (recording?.isDiff === true) return {};
  if (view === 'operations') return { operations, ...(isInTime ? { inTime: true } : {}) };
  return view === 'functions' ? { functions: order, zoom: '' } : {}; // The list covers the whole recording.
}

/** Whether a view has no frame for what runs outside of own code: it is in time order, or about one function. */
export function isInOrder(view: FlameView): boolean {
  return view === 'operations' || view === 'around';
}

function queryScope({
  recording,
  choices: { folded, open, colors, tiers, operation, part, side, perOperationOf, view, around, isInTime },
}: State): Pick<FlameQuery, 'fold' | 'tiers' | 'operation' | 'part' | 'around' | 'side' | 'perOperationOf'> {
  const isApart = !isInOrder(view) && recording?.isDiff !== true;
  const fold = { kinds: folded, open, ...(isApart ? { apart: true as const } : {}) };
  if (recording?.isDiff === true) return { fold, side, ...(perOperationOf === null ? {} : { perOperationOf }) };
  const ofRun = isWholeRun(part) ? {} : { part };
  // In time order a frame has one tier, so that frames and matching bars are never merged.
  const shownTiers = view === 'operations' && isInTime ? 'split' : tiers;
  return {
    fold,
    ...(colors === 'tier' ? { tiers: shownTiers } : {}),
    ...(operation === null ? {} : { operation }),
    ...ofRun,
    ...(view === 'around' && around !== null ? { around } : {}),
  };
}

/** Whether rows that arrive later appear below the others, so that none of them moves. */
function growsDown({ choices: { view, direction } }: State): boolean {
  return direction === 'icicle' && (view === 'graph' || view === 'operations');
}

/** Adds the question for the turns over time where it is new: the page has grown, or another thread was chosen. */
export function askTimeline({ state, send }: Step): Step {
  const { recording, answer, width, timeline, timelineId, askedTimeline, lastId } = state;
  const { lane } = state.choices.part;
  const hasColumns = width <= (askedTimeline?.columns ?? 0) * ASK_AGAIN_GROWTH;
  const isKnown = (timeline !== null || timelineId !== null) && hasColumns && askedTimeline?.lane === lane;
  if (recording === null || recording.isDiff || answer === null || width === 0 || isKnown) return { state, send };
  const id = lastId + 1;
  const asked = { columns: width, lane };
  return {
    state: { ...state, lastId: id, askedTimeline: asked, timelineId: id },
    send: [...send, { type: 'timeline', id, timeline: asked }],
  };
}

// Widths in px.
/** Narrower frames cannot be seen. */
const MIN_FRAME_WIDTH = 0.5;
/** Width of the frames that are drawn first. */
const COARSE_FRAME_WIDTH = 8;
/** Frames of this width and wider show their name. */
const NAMED_FRAME_WIDTH = 35;
/** Width of a panel before its layout. */
const USUAL_WIDTH = 1000;
/** More rows than fit on a screen. */
const FIRST_ROWS = 60;
/** A match that is narrower is zoomed to, as the server does. */
const MIN_MATCH_WIDTH = 4 * MIN_FRAME_WIDTH;
/** Growth of the panel that makes room for frames and columns that were too narrow before. */
const ASK_AGAIN_GROWTH = 1.25;
