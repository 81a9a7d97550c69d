import type { FlameAnswer, FrameCategory, FunctionOrder } from '../protocol/flame.ts';
import type { HostMessage } from '../protocol/webview.ts';
import { ask, askAll, askCoarse, refine, resize, search, withSearch } from './basics/asking.ts';
import { askTimeline, atWholeRun, isInTime, leftOperations, lookInTime } from './time-state.ts';
import {
  choose,
  freshChoices,
  type PageEvent,
  type State,
  type Step,
  still,
  type ToldMessage,
} from './basics/page-state.ts';

/** The next state after an event, and the messages to the extension that follow from it. */
export function step(state: State, event: PageEvent): Step {
  if (isInTime(event)) return lookInTime(left(state), event);
  switch (event.type) {
    case 'loading':
    case 'show':
    case 'answer':
    case 'searchAnswer':
    case 'timelineAnswer':
    case 'failed':
    case 'note':
    case 'refresh':
    case 'focus':
    case 'showOperation':
      return received(state, event);
    case 'resize':
      return askTimeline(resize({ ...state, width: event.width }));
    case 'turn':
      return still(choose(state, { direction: event.direction }));
    case 'highlight':
      return still(choose(state, { highlight: event.highlight }));
    case 'showAll':
    case 'side':
    case 'zoom':
    case 'toggleFolded':
    case 'unfold':
    case 'fold':
    case 'searchFor':
    case 'color':
    case 'splitTiers':
    case 'goToMatch':
    case 'view':
    case 'worst':
    case 'around':
    case 'sort':
    case 'showInGraph':
      return lookElsewhere(left(state), event);
  }
}

/** The state of a person who looks at something by themselves: what they were shown is no longer meant. */
function left(state: State): State {
  return { ...state, note: null, chosen: null };
}

/** The state in which something is shown from elsewhere: the focus goes to it, where it is nowhere else. */
function arrived(state: State): State {
  return { ...left(state), arrivals: state.arrivals + 1 };
}

/** The next state after a message of the extension. */
function received(state: State, message: ToldMessage): Step {
  switch (message.type) {
    case 'loading':
      return still({ ...state, notice: { kind: 'loading', text: message.text } });
    case 'show':
      return show(state, message);
    case 'answer':
      return message.id === state.awaited.query ? askTimeline(answered(state, message.answer)) : still(state);
    case 'searchAnswer':
      if (message.id !== state.awaited.search) return still(state);
      return still({ ...state, found: message.answer, awaited: { ...state.awaited, search: null } });
    case 'timelineAnswer':
      return still(message.id === state.timelineId ? { ...state, timeline: message.answer, timelineId: null } : state);
    case 'failed':
      return still(failed(state, message.id, message.text));
    case 'note':
      return still({ ...state, note: message.text });
    case 'refresh':
      return askAll(state);
    case 'focus':
      return focus(arrived(state), message);
    case 'showOperation':
      return showOperation(arrived(state), message.operation);
  }
}

type Elsewhere =
  | ('showAll' | 'side' | 'zoom' | 'toggleFolded' | 'unfold' | 'fold')
  | ('searchFor' | 'color' | 'splitTiers' | 'goToMatch' | 'view' | 'worst' | 'around' | 'sort' | 'showInGraph');

/** The next state after an event that asks for other frames. */
function lookElsewhere(state: State, event: Extract<PageEvent, { readonly type: Elsewhere }>): Step {
  switch (event.type) {
    case 'showAll':
      return askAll(choose(state, { operation: null, perOperationOf: null, zoom: '' }));
    case 'side':
      return askAll(choose(state, { side: event.side }));
    case 'zoom':
      return ask(zoomedTo(state, event.zoom), { zoom: event.zoom });
    case 'worst':
      return worst(state, event.functionId);
    case 'toggleFolded':
      return askAll(choose(state, { folded: toggled(state.choices.folded, event.categories) }));
    case 'unfold':
      return askAll(choose(state, { open: [...new Set([...state.choices.open, event.id])] }));
    case 'fold':
      return askAll(choose(state, { open: state.choices.open.filter((id) => id !== event.id) }));
    case 'searchFor':
      return search({ ...choose(state, { pattern: event.pattern, isRegex: event.isRegex }), at: null });
    case 'goToMatch':
      return goToMatch(state, event.step);
    case 'view':
      return look(leftOperations(state, event.view), event.view);
    case 'around':
      return askAll(goAround(state, event.functionId));
    case 'sort':
      return askAll(choose(state, { order: orderAfter(state.choices.order, event.by) }));
    case 'showInGraph':
      return ask(choose(state, { view: 'graph' }), { functionId: event.functionId });
    case 'color':
      return askAll(choose(state, { colors: event.colors }));
    case 'splitTiers':
      return askAll(choose(state, { tiers: event.tiers }));
  }
}

/** A zoom is drawn at once, of the frames that are there. Whatever else is chosen is drawn with its answer. */
function zoomedTo(state: State, zoom: string): State {
  return { ...choose(state, { zoom }), shown: { ...state.shown, zoom } };
}

function show(state: State, recording: NonNullable<State['recording']>): Step {
  const isSame = recording.recording === state.choices.recording;
  // What is chosen before the first one is there stays.
  const usual = state.choices.recording === freshChoices.recording ? state.choices.colors : freshChoices.colors;
  const colors = recording.isTiers ? 'tier' : usual;
  const { side, perOperationOf, around, part } = freshChoices;
  const whole = { zoom: '', pattern: '', operation: null, side, perOperationOf, open: [], around, part } as const;
  const folded = foldedAnew(state, recording);
  const anew = { recording: recording.recording, colors, folded, ...whole } as const;
  const choices = isSame ? state.choices : { ...state.choices, ...anew };
  const notice = { kind: 'loading', text: 'Drawing the graph…' } as const;
  const isOpened = !isSame && recording.finding !== null && !recording.isDiff;
  const fresh = {
    ...{ ...state, recording, choices, notice },
    ...{ note: null, answer: null, found: null, at: null, chosen: null, timeline: null, timelineId: null },
  };
  return askCoarse(isOpened ? arrived(fresh) : fresh, isOpened ? recording.finding : null);
}

/**
 * What is folded in a recording that is shown for the first time: as before, but where nothing of it is the person's own
 * code, dependencies are what there is to see.
 */
function foldedAnew(
  { recording: before, choices }: State,
  now: NonNullable<State['recording']>,
): readonly FrameCategory[] {
  const usual = before?.isOthersAlone === true ? freshChoices.folded : choices.folded;
  return now.isOthersAlone === true ? usual.filter((category) => category !== 'dependency') : usual;
}

/**
 * Shows a function with its callers and callees, in all operations or only in its worst one. The engine knows which one
 * that is. A diff zooms to it, in all of its operations, because one of them has no partner on the other side.
 */
function focus(state: State, { functionId, alone, side }: Omit<Extract<HostMessage, { type: 'focus' }>, 'type'>): Step {
  if (state.recording?.isDiff === true) {
    const chosen = { perOperationOf: alone ? functionId : null, side: side ?? state.choices.side };
    return ask(choose(state, chosen), { functionId });
  }
  const around = choose(goAround(atWholeRun(state), functionId), { operation: null });
  return withSearch(ask({ ...around, at: null }, { zoom: '', ...(alone ? { worstOf: functionId } : {}) }));
}

/** Looks at a function with its callers and callees. What was unfolded beside another one has other ids. */
function goAround(state: State, functionId: number): State {
  const { around, open } = state.choices;
  const ofGraph = open.filter((id) => /^\d/.test(id));
  return choose(state, { view: 'around', around: functionId, open: around === functionId ? open : ofGraph });
}

/** Shows one operation alone, among the long ones, all of it, whatever was looked at. */
function showOperation(state: State, operation: number): Step {
  return askAll(choose(atWholeRun(state), { operation, zoom: '', view: 'operations' }));
}

/** Zooms to a function in its worst operation alone; in a diff in all of its operations. */
function worst(state: State, functionId: number): Step {
  if (state.recording?.isDiff === true) return focus(state, { functionId, alone: true });
  return ask(choose(atWholeRun(state), { operation: null }), { functionId, worstOf: functionId });
}

/** Goes to a match, which is shown in the graph. */
function goToMatch(state: State, step: 1 | -1): Step {
  const { pattern, isRegex, zoom } = state.choices;
  if (pattern === '') return still(state);
  const found = { zoom, find: { pattern, isRegex, from: state.at?.id ?? null, step } };
  const asked = ask(choose(state, { view: 'graph' }), found);
  // Tiers may be merged in the graph, and are not in time order: then other bars match.
  return state.choices.view === 'operations' ? withSearch(asked) : asked;
}

/** Looks at the same in another way. Where no function was chosen, callers and callees are those of the heaviest one. */
function look(state: State, view: State['choices']['view']): Step {
  const around = view === 'around' ? (state.choices.around ?? heaviestFunction(state)) : state.choices.around;
  return askAll(choose(state, { view, around }));
}

/** The function that has most time itself in the frames on screen; null where there is none. */
function heaviestFunction({ answer }: State): number | null {
  const left = answer === null ? [] : [answer.root];
  const times = new Map<number, number>();
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    const { functionId, selfUs } = frame;
    if (functionId >= 0 && selfUs > 0) times.set(functionId, (times.get(functionId) ?? 0) + selfUs);
    left.push(...frame.children);
  }
  const [heaviest] = [...times].toSorted(([, one], [, other]) => other - one);
  return heaviest?.[0] ?? null;
}

/** The order after a click on a column: names begin with A, figures with the largest. A second click turns it. */
function orderAfter({ by, isDescending }: FunctionOrder, column: FunctionOrder['by']): FunctionOrder {
  return { by: column, isDescending: by === column ? !isDescending : column !== 'name' };
}

/**
 * Takes an answer over. The engine decides which frame and operation it is about: the page may have asked by function,
 * or the zoomed frame may be hidden now.
 */
function answered(state: State, answer: FlameAnswer): Step {
  const operation = answer.operation?.number ?? null;
  const perOperationOf = answer.diff?.of?.functionId ?? null;
  const zoom = answer.functions === undefined ? answer.zoom : state.choices.zoom; // For who leaves the list.
  const decided = { operation, perOperationOf, open: answer.found?.open ?? state.choices.open };
  const next: State = {
    ...choose(state, { zoom, ...decided }),
    shown: { ...state.asked, ...decided, zoom: answer.zoom },
    at: answer.found ?? state.at,
    chosen: answer.chosen ?? state.chosen,
    answer,
    notice: null,
    awaited: { ...state.awaited, query: null },
  };
  const isUnfolded = (answer.found?.open.length ?? 0) > state.choices.open.length;
  const isSame = !isUnfolded && operation === state.choices.operation;
  const refined = refine(next);
  const searched = isSame ? still(refined.state) : search(refined.state);
  const looked = withFunction(searched.state);
  return { state: looked.state, send: [...refined.send, ...searched.send, ...looked.send] };
}

/** The frames before this answer may all have been of no function, as those of a collection alone: then none was chosen. */
function withFunction(state: State): Step {
  const { view, around } = state.choices;
  const isMissing = view === 'around' && around === null && state.recording?.isDiff !== true;
  return isMissing && heaviestFunction(state) !== null ? look(state, view) : still(state);
}

function failed(state: State, id: number | null, text: string): State {
  const { query, search } = state.awaited;
  if (id === null)
    return { ...state, answer: null, notice: { kind: 'failed', text }, awaited: { query: null, search: null } };
  if (id === query) return { ...state, notice: { kind: 'failed', text }, awaited: { query: null, search } };
  // It is asked for again with the next recording, or by a page that has grown.
  if (id !== null && id === state.timelineId) return { ...state, timelineId: null };
  if (id === search)
    return { ...state, found: null, notice: { kind: 'failed', text }, awaited: { query, search: null } };
  return state;
}

function toggled(folded: readonly FrameCategory[], categories: readonly FrameCategory[]): readonly FrameCategory[] {
  const others = folded.filter((category) => !categories.includes(category));
  return others.length === folded.length ? [...folded, ...categories] : others;
}
