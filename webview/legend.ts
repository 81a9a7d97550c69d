import { type CategoryGroup, categoryGroups } from './categories.ts';
import { element } from './dom.ts';
import { swatch } from './fills.ts';
import { share } from './share.ts';
import type { PageEvent, State } from './state.ts';

/** What the colours and patterns mean, with each one's share of self time in the zoom; most can be switched off. */
export class Legend {
  readonly element = element('div', { class: 'legend', role: 'group', 'aria-label': 'Shown kinds of code' });
  readonly #entries: readonly Entry[];

  constructor(dispatch: (event: PageEvent) => void) {
    this.#entries = categoryGroups.map((group) => entryOf(group, dispatch));
    this.element.append(...this.#entries.map((entry) => entry.element));
  }

  update(state: State): void {
    for (const { group, box, amount } of this.#entries) {
      if (box !== null) box.checked = !group.categories.some((category) => state.choices.hide.includes(category));
      amount.textContent = box?.checked === false ? 'hidden' : amountText(group, state);
    }
  }
}

interface Entry {
  readonly group: CategoryGroup;
  readonly element: HTMLElement;
  /** Checkbox of the group; null where it cannot be hidden. */
  readonly box: HTMLInputElement | null;
  readonly amount: HTMLElement;
}

function entryOf(group: CategoryGroup, dispatch: (event: PageEvent) => void): Entry {
  const amount = element('span', { class: 'amount' });
  const parts = [swatch({ kind: 'category', key: group.key }), element('span', {}, group.label), amount];
  if (!group.canHide) return { group, element: element('span', { class: 'entry' }, ...parts), box: null, amount };
  const box = element('input', { type: 'checkbox', checked: '' });
  box.addEventListener('change', () => dispatch({ type: 'toggleHidden', categories: group.categories }));
  return { group, element: element('label', { class: 'entry' }, box, ...parts), box, amount };
}

function amountText({ categories }: CategoryGroup, { answer }: State): string {
  if (answer === null) return '';
  const self = categories.reduce((sum, category) => sum + answer.selfByCategory[category], 0);
  const all = Object.values(answer.selfByCategory).reduce((sum, time) => sum + time, 0);
  return share(self, all);
}
