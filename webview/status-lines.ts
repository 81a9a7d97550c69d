import type { FlameFrame } from '../protocol/flame.ts';
import { plural, duration } from '../words/formats/figures.ts';
import { emptyText } from '../words/formats/diff-texts.ts';
import { wayTo } from './basics/blocks.ts';
import { closest, element, icon, setText, textButton } from './basics/dom.ts';
import { frameName } from './basics/frame-text.ts';
import { type Actions, isWholeRun, type PagePart, type State } from './basics/page-state.ts';
import { visible } from '../words/formats/hidden-characters.ts';

/** Says which single operation is shown, with a button back to all. */
export function operationBar({ dispatch }: Actions): PagePart {
  const text = element('span');
  const all = textButton('Show All Operations', () => dispatch({ type: 'showAll' }));
  const bar = element('p', { class: 'operation', role: 'status', hidden: '' }, text, all);
  const update = ({ answer }: State): void => {
    const operation = answer?.picked === undefined ? answer?.operation : undefined; // The list says more about it.
    bar.hidden = operation === undefined;
    if (operation === undefined) return;
    const { durationUs, test } = operation;
    const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
    text.textContent = `One operation alone: it held the event loop for ${duration(durationUs)}${where}.`;
  };
  return { element: bar, update };
}

/** The path from the root to the zoomed frame. A click on a step zooms to it. */
export function breadcrumb(zoom: (id: string) => void): PagePart {
  const list = element('ol');
  const bar = element('nav', { class: 'breadcrumb', 'aria-label': 'Zoom' }, list);
  list.addEventListener('click', (event) => {
    const id = closest(event, 'button')?.dataset['id'];
    if (id !== undefined) zoom(id);
  });
  const update = ({ answer, shown }: State): void => {
    const way = answer === null ? [] : wayTo(answer.root, shown.zoom);
    bar.hidden = way.length < 2;
    list.replaceChildren(...shortened(way).flatMap((item, index) => (index === 0 ? [item] : [separator(), item])));
  };
  return { element: bar, update };
}

/** A longer path is shortened in the middle: `All › … › handler › clone`. */
const MAX_STEPS = 5;

function shortened(way: readonly FlameFrame[]): readonly HTMLElement[] {
  const steps = way.map((frame, index) => stepOf(frame, index === way.length - 1));
  const left = way.length - MAX_STEPS;
  if (left < 2) return steps;
  const gap = element('li', { class: 'gap', title: plural(left, 'caller') }, '…');
  return [...steps.slice(0, 1), gap, ...steps.slice(left + 1)];
}

function stepOf(frame: FlameFrame, isLast: boolean): HTMLElement {
  const name = frameName(frame);
  if (isLast) return element('li', { 'aria-current': 'true', title: name }, name);
  return element('li', {}, element('button', { type: 'button', 'data-id': frame.id, title: name }, name));
}

function separator(): HTMLElement {
  return element('li', { class: 'separator', 'aria-hidden': 'true' }, icon('collapsed'));
}

/** The sentence in place of a graph (loading, failed, nothing recorded), with the button for the next step. */
export function noticeBar({ post }: Actions): PagePart {
  const text = element('span');
  const again = textButton('Try Again', () => post({ type: 'ready' }));
  const profile = textButton('Profile Last Target Again', () => post({ type: 'profileAgain' }));
  const bar = element('div', { class: 'notice', role: 'status' }, text, again, profile);
  const update = (state: State): void => {
    const shown = sentence(state);
    bar.hidden = shown === null;
    bar.classList.toggle('failed', state.notice?.kind === 'failed');
    setText(text, shown ?? '');
    again.hidden = state.notice?.kind !== 'failed';
    profile.hidden = shown !== noSamples;
  };
  return { element: bar, update };
}

function sentence({ notice, note, answer, choices }: State): string | null {
  if (notice?.kind === 'loading' && answer !== null) return null; // The progress bar shows it, so that nothing moves.
  if (notice !== null) return notice.text;
  if (note !== null) return note;
  if (answer?.diff !== undefined && answer.totalUs <= 0) return emptyText(answer.diff);
  if (answer === null || answer.totalUs > 0) return null;
  return isWholeRun(choices.part) ? noSamples : nothingInPart;
}

const nothingInPart = 'Nothing ran in this part of the run.';
const noSamples =
  'This recording holds no samples: the program only waited, or ended at once. Profile something that runs longer.';
