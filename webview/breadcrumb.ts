import type { FlameFrame } from '../protocol/flame.ts';
import { plural } from '../words/formats/figures.ts';
import { wayTo } from './blocks.ts';
import { element } from './dom.ts';
import { frameName } from './frame-text.ts';
import { icon } from './icons.ts';
import type { State } from './state.ts';

/** More than this is shortened in the middle: `All › … › handler › clone`. */
const mostSteps = 5;

/** The way from the root to the zoomed frame; each step zooms out to it. Empty while nothing is zoomed. */
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

  update({ answer, choices }: State): void {
    const way = answer === null ? [] : wayTo(answer.root, choices.zoom);
    this.element.hidden = way.length < 2;
    this.#list.replaceChildren(
      ...shortened(way).flatMap((item, index) => (index === 0 ? [item] : [separator(), item])),
    );
  }
}

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
