import type { FlameFrame, FlameQuery } from '../../protocol/flame.ts';
import { type State, type Step, still } from './page-state.ts';

/** Asks for finer frames where the panel grew so much that they have room. */
export function resize(state: State): Step {
  const isGrown = state.width > state.askedWidth * askAgainGrowth;
  return isGrown && state.recording !== null ? ask(state, { zoom: state.choices.zoom }) : still(state);
}

/**
 * Asks for the largest frames of what is on screen, which are there soonest, and for what the search finds there. With
 * `reveal`, it is zoomed as far as that function can be read.
 */
export function askCoarse(state: State, reveal: number | null): Step {
  const place = reveal === null ? { zoom: state.choices.zoom } : { reveal };
  return withSearch(ask(state, place, coarseFrameWidth));
}

/** Asks for all that can be seen, where the largest frames are not all of it. */
export function refine(state: State): Step {
  const { answer, isCoarse } = state;
  const drawn = [answer?.root, answer?.callers].filter((root) => root !== undefined);
  const isAll = answer === null || !isCoarse || !drawn.some(hidesAny);
  return isAll ? still({ ...state, isCoarse: false }) : ask(state, { zoom: state.choices.zoom });
}

/** Whether any frame has others below it that were left out. */
function hidesAny(root: FlameFrame): boolean {
  const left = [root];
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    if (frame.hiddenUs > 0) return true;
    left.push(...frame.children);
  }
  return false;
}

/** Asks for what is on screen, and for what the search finds there. */
export function askAll(state: State): Step {
  return withSearch(ask(state, { zoom: state.choices.zoom }));
}

/** Asks, after a step to another part of the recording, for what the search finds there. */
export function withSearch({ state, send }: Step): Step {
  const searched = search(state);
  return { state: searched.state, send: [...send, ...searched.send] };
}

/** Asks for frames at a place that are at least so wide, in px. */
export function ask(
  state: State,
  place: Pick<FlameQuery, 'zoom' | 'functionId' | 'reveal' | 'worstOf' | 'find' | 'operations'>,
  leastWidth = leastFrameWidth,
): Step {
  if (state.recording === null) return still(state);
  const id = state.lastId + 1;
  const width = state.width > 0 ? state.width : usualWidth;
  const isFine = leastWidth <= leastFrameWidth;
  const shares = { leastShare: leastWidth / width, ...(isFine ? {} : { namedShare: namedFrameWidth / width }) };
  const rows = isFine || !growsDown(state) ? {} : { rows: firstRows };
  const operations = place.operations ?? { by: state.choices.operations, step: awaitedSteps(state) };
  const query = { ...place, ...shownBesides(state, operations), ...scopeOf(state), ...shares, ...rows };
  return {
    state: {
      ...{ ...state, lastId: id, askedWidth: width, asked: state.choices, steps: operations.step },
      isCoarse: !isFine && query.functions === undefined, // A list has no frames that could follow.
      awaited: { ...state.awaited, query: id },
    },
    send: [{ type: 'query', id, query }],
  };
}

/** How many operations further than the chosen one is still awaited: another question asks for that, too. */
export function awaitedSteps({ awaited, asked, choices, steps }: State): number {
  const isOfChoice =
    choices.view === 'operations' && asked.view === 'operations' && asked.operation === choices.operation;
  return awaited.query !== null && isOfChoice ? steps : 0;
}

/** Asks for what the search finds. */
export function search(state: State): Step {
  const { pattern, isRegex } = state.choices;
  const next = { ...state, awaited: { ...state.awaited, search: null } };
  if (state.recording === null || pattern === '') return still({ ...next, found: null });
  const id = state.lastId + 1;
  return {
    state: { ...next, lastId: id, awaited: { ...state.awaited, search: id } },
    send: [{ type: 'search', id, search: { pattern, isRegex, ...scopeOf(state) } }],
  };
}

/** What a view needs besides the graph. A diff has the graph alone. */
function shownBesides(
  { recording, choices: { view, around, order, isInTime } }: State,
  operations: NonNullable<FlameQuery['operations']>,
): Pick<FlameQuery, 'around' | 'functions' | 'operations' | 'inTime' | 'zoom'> {
  if (recording?.isDiff === true) return {};
  if (view === 'operations') return { operations, ...(isInTime ? { inTime: true } : {}) };
  if (view === 'around' && around !== null) return { around };
  return view === 'functions' ? { functions: order, zoom: '' } : {}; // The list is of everything.
}

function scopeOf({
  recording,
  choices: { folded, open, colors, tiers, operation, part, side, perOperationOf, view, isInTime },
}: State): Pick<FlameQuery, 'fold' | 'tiers' | 'operation' | 'part' | 'side' | 'perOperationOf'> {
  const isInOrder = view === 'operations' || view === 'around';
  const fold = { kinds: folded, open, ...(isInOrder || recording?.isDiff === true ? {} : { apart: true as const }) };
  if (recording?.isDiff === true) return { fold, side, ...(perOperationOf === null ? {} : { perOperationOf }) };
  const ofRun = part.lane === null && part.range === null ? {} : { part };
  // In time order a stretch has one tier: frames are never merged there, nor bars of a search.
  const shownTiers = view === 'operations' && isInTime ? 'split' : tiers;
  return {
    fold,
    ...(colors === 'tier' ? { tiers: shownTiers } : {}),
    ...(operation === null ? {} : { operation }),
    ...ofRun,
  };
}

/** Width in px below which frames cannot be seen. */
const leastFrameWidth = 0.5;
/** Width in px of the frames that are drawn at first. */
const coarseFrameWidth = 8;
/** Whether rows that are added later stand below those that are there, and move none of them. */
function growsDown({ choices: { view, direction } }: State): boolean {
  return direction === 'icicle' && (view === 'graph' || view === 'operations');
}

/** More rows than a screen has. */
const firstRows = 60;
/** Width in px from which a frame has its name on it. */
const namedFrameWidth = 35;
/** Width in px for a panel that has not been laid out yet. */
const usualWidth = 1000;
/** If the panel grows by this factor, frames that were too small before have room. */
const askAgainGrowth = 1.25;
