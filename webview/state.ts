import type { FlameAnswer, FlameSearchAnswer, FrameCategory, FunctionOrder } from '../protocol/flame.ts';
import { typeOf } from '../protocol/webview-guard.ts';
import type { FlameView, HostMessage } from '../protocol/webview.ts';
import {
  ask,
  askAgain,
  askAll,
  askCoarse,
  askTimeline,
  awaitedSteps,
  isInOrder,
  isInSight,
  refine,
  resize,
  search,
  withSearch,
} from './basics/asking.ts';
import { listFrames } from './basics/blocks.ts';
import type { AskedPlace, Choices, PageEvent, State, StateMessage, Step } from './basics/page-state.ts';
import { choose, freshChoices, still } from './basics/page-state.ts';

type Events = { readonly [Event in PageEvent as Event['type']]: Event };
type EventOf<Type extends keyof Events> = { readonly [Each in Type]: { readonly type: Each } & Events[Each] }[Type];
type Steps<Type extends keyof Events> = { readonly [Each in Type]: (state: State, event: Events[Each]) => Step };

/** The next state after an event, and the messages to the extension that follow from it. */
export function step<Type extends keyof Events>(state: State, event: EventOf<Type>): Step {
  const isPassive = Object.hasOwn(messageSteps, event.type) || event.type === 'resize' || event.type === 'redraw';
  return steps[event.type](isPassive ? state : movedOn(state), event);
}

/**
 * Whether a message is from the extension, and not from a browser extension that posts to every window. The host and the
 * page are one package, so the type is enough.
 */
export function isHostMessage(data: unknown): data is HostMessage {
  const type = typeOf(data) ?? '';
  return type === 'takeAway' || Object.hasOwn(messageSteps, type);
}

const messageSteps = {
  loading: (state, { text }) => still({ ...state, notice: { kind: 'loading', text } }),
  show,
  answer: (state, { id, answer }) => (id === state.awaited.query ? askTimeline(answered(state, answer)) : still(state)),
  searchAnswer: (state, { id, answer }) => (id === state.awaited.search ? searched(state, answer) : still(state)),
  timelineAnswer: (state, { id, answer }) =>
    still(id === state.timelineId ? { ...state, timeline: answer, timelineId: null } : state),
  failed: (state, { id, text }) => still(failed(state, id, text)),
  note: (state, { text }) => still({ ...state, note: text }),
  refresh: (state) => askAgain(state),
  focus: (state, message) => focus(arrived(state), message),
  showOperation: (state, { operation }) =>
    askWith(atWholeRun(arrived(state)), { operation, zoom: '', view: 'operations' }),
} satisfies Steps<StateMessage['type']>;

const steps: Steps<keyof Events> = {
  ...messageSteps,
  resize: (state, { width }) => askTimeline(resize({ ...state, width })),
  redraw: (state, { choices }) => still(choose(state, choices)),
  choose: (state, { choices }) => askAgain(choose(state, choices)),
  showAll: (state) => askWith(state, { operation: null, perOperationOf: null, zoom: '' }),
  // A zoom is drawn at once, from the frames that are there. Any other choice is drawn with its answer.
  zoom: (state, { zoom }) => ask({ ...choose(state, { zoom }), shown: { ...state.shown, zoom } }, { zoom }),
  toggleFolded: (state, { categories }) =>
    askAgain(choose(state, { folded: toggled(state.choices.folded, categories) })),
  unfold: (state, { id }) => askWith(state, { open: [...new Set([...state.choices.open, id])] }),
  fold: (state, event) => askWith(state, { open: state.choices.open.filter((id) => id !== event.id) }),
  searchFor: (state, { pattern, isRegex }) => searchFor(choose(state, { pattern, isRegex })),
  goToMatch: (state, event) => goToMatch(state, event.step),
  view: (state, { view }) => look(leaveOperations(state, view), view),
  worst: (state, { functionId }) => worst(state, functionId),
  around: (state, { functionId }) => (isDiff(state) ? still(state) : askAll(goAround(state, functionId))),
  sort: (state, { by }) => askWith(state, { order: orderAfter(state.choices.order, by) }),
  showInGraph: (state, { functionId }) => inGraph(state, { functionId }),
  part: (state, { part }) => {
    // Another part ends the choice of one operation, except in the list of operations.
    const operation = state.choices.view === 'operations' ? state.choices.operation : null;
    return askTimeline(askWith(state, { part, zoom: '', operation }));
  },
  pick: (state, { operation }) => pick(state, operation),
  stepOperation: (state, event) => stepOn(state, event.step),
  inTime: (state, { isInTime }) => askWith(state, { isInTime: isInTime ?? !state.choices.isInTime, zoom: '' }),
};

/** A diff has a graph and a tree: neither operations nor callers and callees of one function. */
function isDiff({ recording }: State): boolean {
  return recording?.isDiff === true;
}

function askWith(state: State, choices: Partial<Choices>): Step {
  return askAll(choose(state, choices));
}

/** The person looks at something else: the note, the chosen frame and the one to be found no longer apply. */
function movedOn(state: State): State {
  return { ...state, note: null, chosen: null, isFinding: false };
}

/** The extension shows something: it gets the focus, unless the focus is elsewhere. */
function arrived(state: State): State {
  return { ...movedOn(state), arrivals: state.arrivals + 1 };
}

/** Removes the choice of a part of the run: figures that are shown from outside of the page are those of the whole run. */
function atWholeRun(state: State): State {
  return choose(state, { part: freshChoices.part });
}

/** A recording that is on screen stays until the answer, unless it was written again: then its ids mean other things. */
function show(state: State, recording: NonNullable<State['recording']>): Step {
  const isSame = recording.recording === state.choices.recording && recording.written === state.choices.written;
  if (isSame && state.answer !== null) return askAgain({ ...state, recording });
  // Colors that are chosen before the first recording is there stay.
  const usual = state.choices.recording === freshChoices.recording ? state.choices.colors : freshChoices.colors;
  const { zoom, pattern, operation, side, perOperationOf, open, around, part } = freshChoices;
  const other = {
    ...{ zoom, pattern, operation, side, perOperationOf, open, around, part },
    ...{ recording: recording.recording, written: recording.written },
    colors: recording.isTiers ? 'tier' : usual,
    folded: foldedAtFirst(state, recording),
  } as const;
  const isOpened = !isSame && recording.finding !== null && !recording.isDiff;
  const fresh: State = {
    ...(isOpened ? arrived(state) : state),
    ...nothing,
    recording,
    choices: isSame ? state.choices : { ...state.choices, ...other },
    notice: { kind: 'loading', text: 'Drawing the graph…' },
    note: null,
  };
  return askCoarse(fresh, isOpened ? recording.finding : null);
}

/** What is known of a recording before it is there. */
const nothing = {
  ...{ recording: null, answer: null, found: null, at: null, chosen: null, timeline: null, timelineId: null },
  ...{ isFinding: false, awaited: { query: null, search: null } },
} as const;

/** Folds a new recording as the one before. Where none of it is the person's own code, dependencies are unfolded. */
function foldedAtFirst(
  { recording: before, choices }: State,
  now: NonNullable<State['recording']>,
): readonly FrameCategory[] {
  const usual = before?.isOthersAlone === true ? freshChoices.folded : choices.folded;
  return now.isOthersAlone === true ? usual.filter((category) => category !== 'dependency') : usual;
}

/**
 * Shows a function with its callers and callees, in all operations or only in its worst one (the engine knows which that
 * is). A diff zooms to it in all of its operations, because one operation has no counterpart on the other side.
 */
function focus(state: State, { functionId, alone, side }: Omit<Extract<HostMessage, { type: 'focus' }>, 'type'>): Step {
  if (isDiff(state)) {
    const chosen = { perOperationOf: alone ? functionId : null, side: side ?? state.choices.side };
    return withSearch(ask(choose(state, chosen), { functionId }));
  }
  const around = choose(goAround(atWholeRun(state), functionId), { operation: null });
  return withSearch(ask(around, { zoom: '', ...(alone ? { worstOf: functionId } : {}) }));
}

/** Looks at a function with its callers and callees. Frames that are unfolded beside another function have other ids. */
function goAround(state: State, functionId: number): State {
  const { around, open } = state.choices;
  const ofGraph = open.filter((id) => /^\d/.test(id));
  return choose(state, { view: 'around', around: functionId, open: around === functionId ? open : ofGraph });
}

/** Zooms to a function in its worst operation alone; in a diff in all of its operations. */
function worst(state: State, functionId: number): Step {
  if (isDiff(state)) return focus(state, { functionId, alone: true });
  return ask(choose(atWholeRun(state), { operation: null }), { functionId, worstOf: functionId });
}

/** Marks what matches, and brings the heaviest match on screen where that is the graph. */
function searchFor(state: State): Step {
  const { pattern, zoom, view } = state.choices;
  const searching = search(state);
  if (pattern !== '') return { ...searching, state: { ...searching.state, isFinding: view === 'graph' } };
  // The answer on its way may be about a match.
  return state.awaited.query === null ? searching : ask(searching.state, { zoom });
}

/** Marks what a search has found. A heaviest match that is not in sight is asked for. */
function searched(state: State, found: FlameSearchAnswer): Step {
  const isCounted = found.type === 'found' && found.matches === state.at?.matches; // Else frames were folded or unfolded.
  const at = isCounted ? state.at : null;
  const next = { ...state, found, at, isFinding: false, awaited: { ...state.awaited, search: null } };
  const { pattern, isRegex, zoom } = state.choices;
  const heaviest = state.isFinding && found.type === 'found' ? found.heaviest : null;
  if (heaviest === null) return still(next);
  if (isInSight(heaviest, next)) return still({ ...next, chosen: heaviest });
  return ask(next, { zoom, find: { pattern, isRegex, from: null, step: 0 } });
}

/** Goes to a match, which is shown in the graph. */
function goToMatch(state: State, step: 1 | -1): Step {
  const { pattern, isRegex, zoom } = state.choices;
  if (pattern === '') return still(state);
  return inGraph(state, { zoom, find: { pattern, isRegex, from: state.at?.id ?? null, step } });
}

/** Asks for a place in the graph. Where the view before it folds in its own way, other bars match now. */
function inGraph(state: State, place: AskedPlace): Step {
  const asked = ask(choose(state, { view: 'graph' }), place);
  return isInOrder(state.choices.view) ? withSearch(asked) : asked;
}

/** Changes the view. Where no function was chosen, callers and callees are those of the heaviest one. */
function look(state: State, view: FlameView): Step {
  const around = view === 'around' ? (state.choices.around ?? heaviestFunction(state)) : state.choices.around;
  return askWith(state, { view, around });
}

/** The function with the most self time in the frames on screen; null where there is none. */
function heaviestFunction({ answer }: State): number | null {
  const times = new Map<number, number>();
  for (const { functionId, selfUs } of answer === null ? [] : listFrames(answer.root))
    if (functionId >= 0 && selfUs > 0) times.set(functionId, (times.get(functionId) ?? 0) + selfUs);
  const [heaviest] = [...times].toSorted(([, one], [, other]) => other - one);
  return heaviest?.[0] ?? null;
}

/** The order after a click on a column: names begin with A, figures with the largest. A second click reverses it. */
function orderAfter({ by, isDescending }: FunctionOrder, column: FunctionOrder['by']): FunctionOrder {
  return { by: column, isDescending: by === column ? !isDescending : column !== 'name' };
}

/**
 * Shows an answer. The engine decides which frame and operation it is about: the page may have asked by function, or the
 * zoomed frame may be hidden now.
 */
function answered(state: State, answer: FlameAnswer): Step {
  const operation = answer.operation?.number ?? null;
  const perOperationOf = answer.diff?.of?.functionId ?? null;
  const zoom = answer.functions === undefined ? answer.zoom : state.choices.zoom; // The graph is still zoomed after the list.
  const open = answer.found?.open ?? answer.open ?? state.choices.open;
  const decided = { operation, perOperationOf, open };
  const asDecided = choose(state, { zoom, ...decided });
  const next: State = {
    ...asDecided,
    shown: { ...state.asked, ...decided, zoom: answer.zoom },
    at: answer.found ?? asDecided.at,
    chosen: answer.chosen ?? state.chosen,
    answer,
    notice: null,
    awaited: { ...state.awaited, query: null },
  };
  const isUnfolded = open.length > state.choices.open.length;
  const isSame = !isUnfolded && operation === state.choices.operation;
  const refined = refine(next);
  const recounted = isSame ? still(refined.state) : search(refined.state);
  const looked = withFunction(recounted.state);
  return { state: looked.state, send: [...refined.send, ...recounted.send, ...looked.send] };
}

/** Chooses the heaviest function where none was chosen yet: the frames before may have had no function, such as GC alone. */
function withFunction(state: State): Step {
  const { view, around } = state.choices;
  const isMissing = view === 'around' && around === null && !isDiff(state);
  return isMissing && heaviestFunction(state) !== null ? look(state, view) : still(state);
}

function failed(state: State, id: number | null, text: string): State {
  const { query, search } = state.awaited;
  const notice = { kind: 'failed', text } as const;
  if (id === null) return { ...state, ...nothing, notice };
  if (id === query) return { ...state, notice, awaited: { query: null, search } };
  if (id === search) return { ...state, found: null, notice, isFinding: false, awaited: { query, search: null } };
  // The page asks for turns again with the next recording, or when it has grown.
  return id === state.timelineId ? { ...state, timelineId: null } : state;
}

function toggled(folded: readonly FrameCategory[], categories: readonly FrameCategory[]): readonly FrameCategory[] {
  const others = folded.filter((category) => !categories.includes(category));
  return others.length === folded.length ? [...folded, ...categories] : others;
}

function pick(state: State, operation: number): Step {
  return askAll({ ...choose(state, { operation, zoom: '', view: 'operations' }), steps: 0 });
}

/**
 * Moves in the list of operations. Where the list is closed, opens it at the operation that is shown, or at its first
 * one. The page asks for steps to rows that it does not have; unanswered steps add up. Rows in another order, or of
 * another part of the run, do not count as rows of this list.
 */
function stepOn(state: State, step: number): Step {
  if (isDiff(state)) return still(state);
  const { view, operation, operations: by } = state.choices;
  if (view !== 'operations') return askWith(state, { view: 'operations', zoom: '' });
  const { rows = [], first = 0, total = 0 } = state.answer?.operations ?? {};
  const row = hasRows(state) ? rows.findIndex(({ number }) => number === operation) : -1;
  const awaited = awaitedSteps(state);
  const wanted = awaited + step;
  const steps = row === -1 ? wanted : Math.max(-first - row, Math.min(total - 1 - first - row, wanted));
  const next = row === -1 ? undefined : rows[row + steps];
  if (next?.number === operation && awaited === 0) return still(state);
  if (next !== undefined) return pick(state, next.number);
  return ask(choose(state, { zoom: '' }), { zoom: '', operations: { by, step: steps } });
}

/** Whether the rows on screen are in the chosen order and of the chosen part of the run. */
function hasRows({ shown, choices }: State): boolean {
  const [was, is] = [shown.part, choices.part];
  const isSamePart = was.lane === is.lane && was.range?.from === is.range?.from && was.range?.until === is.range?.until;
  return isSamePart && shown.operations === choices.operations;
}

/** Leaving the list of operations shows all of them again. */
function leaveOperations(state: State, view: FlameView): State {
  const { choices } = state;
  if (choices.view === view) return state;
  if (view === 'operations') return choose(state, { zoom: '' });
  return choices.view === 'operations' ? choose(state, { operation: null, zoom: '' }) : state;
}
