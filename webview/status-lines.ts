import type { FlameFrame } from '../protocol/flame.ts';
import { plural, duration } from '../words/formats/figures.ts';
import { emptyText } from '../words/formats/diff-texts.ts';
import { wayTo } from './basics/blocks.ts';
import { element, icon } from './basics/dom.ts';
import { frameName } from './basics/frame-text.ts';
import type { State, PageEvent } from './basics/page-state.ts';
import { visible } from '../words/formats/hidden-characters.ts';

/** The line that says that only one operation is shown, and which one, with a button back to all. */
export class OperationBar {
  readonly element = element('p', { class: 'operation', role: 'status', hidden: '' });
  readonly #text = element('span', {});

  constructor(dispatch: (event: PageEvent) => void) {
    const all = element('button', { type: 'button', class: 'text-button' }, 'Show All Operations');
    all.addEventListener('click', () => dispatch({ type: 'showAll' }));
    this.element.append(this.#text, all);
  }

  update({ answer }: State): void {
    const operation = answer?.picked === undefined ? answer?.operation : undefined; // The list says more of it.
    this.element.hidden = operation === undefined;
    if (operation === undefined) return;
    const { durationUs, test } = operation;
    const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
    this.#text.textContent = `One operation alone: it held the event loop for ${duration(durationUs)}${where}.`;
  }
}

/** The path from the root to the zoomed frame. Each step zooms out to it. Hidden while nothing is zoomed. */
export class Breadcrumb {
  readonly element = element('nav', { class: 'breadcrumb', 'aria-label': 'Zoom' });
  readonly #list = element('ol', {});

  constructor(zoom: (id: string) => void) {
    this.element.append(this.#list);
    this.#list.addEventListener('click', (event) => {
      if (event.target instanceof HTMLElement && event.target.dataset['id'] !== undefined)
        zoom(event.target.dataset['id']);
    });
  }

  update({ answer, shown }: State): void {
    const way = answer === null ? [] : wayTo(answer.root, shown.zoom);
    this.element.hidden = way.length < 2;
    this.#list.replaceChildren(
      ...shortened(way).flatMap((item, index) => (index === 0 ? [item] : [separator(), item])),
    );
  }
}

/** Most steps: a longer path is shortened in the middle, as in `All › … › handler › clone`. */
const mostSteps = 5;

function shortened(way: readonly FlameFrame[]): readonly HTMLElement[] {
  const steps = way.map((frame, index) => stepOf(frame, index === way.length - 1));
  const left = way.length - mostSteps;
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

/** What the buttons of a notice do. */
export interface NoticeActions {
  readonly readAgain: () => void;
  readonly profileAgain: () => void;
}

/**
 * The sentence in place of a graph: loading, failed, or nothing recorded, with the button that mends it. Failures are
 * announced to screen readers.
 */
export class NoticeView {
  readonly element = element('div', { class: 'notice', role: 'status' });
  readonly #text = element('span', {});
  readonly #again = element('button', { type: 'button', class: 'text-button' }, 'Try Again');
  readonly #profile = element('button', { type: 'button', class: 'text-button' }, 'Profile Last Target Again');

  constructor({ readAgain, profileAgain }: NoticeActions) {
    this.#again.addEventListener('click', readAgain);
    this.#profile.addEventListener('click', profileAgain);
    this.element.append(this.#text, this.#again, this.#profile);
  }

  update(state: State): void {
    const text = sentence(state);
    this.element.hidden = text === null;
    this.element.classList.toggle('failed', state.notice?.kind === 'failed');
    if (this.#text.textContent !== text) this.#text.textContent = text;
    this.#again.hidden = state.notice?.kind !== 'failed';
    this.#profile.hidden = text !== noSamples;
  }
}

function sentence({ notice, note, answer, choices }: State): string | null {
  if (notice?.kind === 'loading' && answer !== null) return null; // The bar over the graph shows that, so nothing has to move.
  if (notice !== null) return notice.text;
  if (note !== null) return note;
  if (answer?.diff !== undefined && answer.totalUs <= 0) return emptyText(answer.diff);
  if (answer === null || answer.totalUs > 0) return null;
  return choices.part.lane === null && choices.part.range === null ? noSamples : nothingInPart;
}

const nothingInPart = 'Nothing ran in this part of the run.';
const noSamples =
  'This recording holds no samples: the program only waited, or ended at once. Profile something that runs longer.';
