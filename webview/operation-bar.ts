import { visible } from '../words/formats/hidden-characters.ts';
import { duration } from '../words/formats/figures.ts';
import { element } from './dom.ts';
import type { PageEvent, State } from './state.ts';

/** Says that only one operation is shown, and which one, and leads back to all. */
export class OperationBar {
  readonly element = element('p', { class: 'operation', role: 'status', hidden: '' });
  readonly #text = element('span', {});

  constructor(dispatch: (event: PageEvent) => void) {
    const all = element('button', { type: 'button', class: 'text-button' }, 'Show All Operations');
    all.addEventListener('click', () => dispatch({ type: 'showAll' }));
    this.element.append(this.#text, all);
  }

  update({ answer }: State): void {
    const operation = answer?.operation;
    this.element.hidden = operation === undefined;
    if (operation === undefined) return;
    const { durationUs, test } = operation;
    const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
    this.#text.textContent = `One operation alone: it held the event loop for ${duration(durationUs)}${where}.`;
  }
}
