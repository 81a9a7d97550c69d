import type { FlameView } from '../protocol/webview.ts';
import { ask, askAll, awaitedSteps } from './basics/asking.ts';
import { choose, freshChoices, type PageEvent, type State, type Step, still } from './basics/page-state.ts';

type TimeEvent = Extract<
  PageEvent,
  { readonly type: 'part' | 'pick' | 'stepOperation' | 'orderOperations' | 'inTime' }
>;

export function isInTime(event: PageEvent): event is TimeEvent {
  const types: readonly PageEvent['type'][] = ['part', 'pick', 'stepOperation', 'orderOperations', 'inTime'];
  return types.includes(event.type);
}

/** The next state after an event about a part of the run, or about its long operations. A diff has neither. */
export function lookInTime(state: State, event: TimeEvent): Step {
  if (state.recording?.isDiff === true) return still(state);
  switch (event.type) {
    case 'part': {
      const next = { ...choose(state, { part: event.part, zoom: '', operation: keptOperation(state) }), at: null };
      return askTimeline(askAll(next));
    }
    case 'pick':
      return pick(state, event.operation);
    case 'stepOperation':
      return stepOn(state, event.step);
    case 'orderOperations':
      return askAll(choose(state, { operations: event.by }));
    case 'inTime':
      return askAll(choose(state, { isInTime: event.isInTime ?? !state.choices.isInTime, zoom: '' }));
  }
}

/** A choice of another part ends that of one operation, but where operations are listed. */
function keptOperation({ choices: { view, operation } }: State): number | null {
  return view === 'operations' ? operation : null;
}

function pick(state: State, operation: number): Step {
  return askAll({ ...choose(state, { operation, zoom: '', view: 'operations' }), at: null, steps: 0 });
}

/**
 * Goes on in the list, which is opened where it is not: at the operation that is shown, or at its first one. Steps that
 * no row is known for are asked for, and those that are not answered yet count with the next one. Rows of another order,
 * or of another part of the run, are not those of the list that is awaited.
 */
function stepOn(state: State, step: number): Step {
  const { view, operation, operations: by } = state.choices;
  if (view !== 'operations') return askAll(choose(state, { view: 'operations', zoom: '' }));
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

/** Whether the rows on screen are of the order and of the part of the run that are chosen. */
function hasRows({ shown, choices }: State): boolean {
  const [was, is] = [shown.part, choices.part];
  const isSamePart = was.lane === is.lane && was.range?.from === is.range?.from && was.range?.until === is.range?.until;
  return isSamePart && shown.operations === choices.operations;
}

/** The state in which another view is looked at. Who leaves the list of operations looks at all of them again. */
export function leftOperations(state: State, view: FlameView): State {
  const { choices } = state;
  if (choices.view === view) return state;
  if (view === 'operations') return choose(state, { zoom: '' });
  return choices.view === 'operations' ? choose(state, { operation: null, zoom: '' }) : state;
}

/** The state in which all of the run is looked at. What is shown from elsewhere has figures of the whole run. */
export function atWholeRun(state: State): State {
  return choose(state, { part: freshChoices.part });
}

/** Asks for the turns over time after a step: once, and again where the page has grown, or another thread is wanted. */
export function askTimeline({ state, send }: Step): Step {
  const { recording, answer, width, timeline, timelineId, askedTimeline, lastId } = state;
  const { lane } = state.choices.part;
  const isWide = width <= (askedTimeline?.columns ?? 0) * askAgainGrowth;
  const isKnown = (timeline !== null || timelineId !== null) && isWide && askedTimeline?.lane === lane;
  if (recording === null || recording.isDiff || answer === null || width === 0 || isKnown) return { state, send };
  const id = lastId + 1;
  const asked = { columns: width, lane };
  return {
    state: { ...state, lastId: id, askedTimeline: asked, timelineId: id },
    send: [...send, { type: 'timeline', id, timeline: asked }],
  };
}

/** If the page grows by this factor, a column is wider than it need be. */
const askAgainGrowth = 1.25;
