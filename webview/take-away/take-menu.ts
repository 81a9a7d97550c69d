import { type TakenForm, takenForms } from '../../protocol/webview.ts';
import { element, toolButton } from '../basics/dom.ts';
import type { State } from '../basics/page-state.ts';

const labels: Readonly<Record<TakenForm, string>> = {
  markdown: 'Copy as Markdown',
  svg: 'Save as SVG…',
  png: 'Save as PNG…',
};

/** The hint for lists and tables, which cannot become a picture. */
export const pictureNeedsGraph = 'A picture is of a graph: choose Graph, or Callers and callees.';

/** The button that copies or saves what is shown, with its menu. The arrows walk the menu, Escape closes it. */
export class TakeMenu {
  readonly element = element('div', { class: 'take' });
  readonly #button = toolButton('share', 'Copy or save', () => this.open(!this.#isOpen));
  readonly #popup = element('div', { class: 'take-popup', hidden: '' });
  readonly #items: ReadonlyMap<TakenForm, HTMLButtonElement>;
  /** Called before the menu is opened. */
  readonly #onOpen: () => void;
  readonly #hint = element('p', { class: 'take-hint muted', hidden: '' }, pictureNeedsGraph);

  constructor(take: (form: TakenForm) => void, onOpen: () => void) {
    this.#onOpen = onOpen;
    const attributes = { type: 'button', role: 'menuitem', tabindex: '-1', class: 'take-item' };
    this.#items = new Map(takenForms.map((form) => [form, element('button', attributes, labels[form])]));
    const menu = element('div', { role: 'menu', 'aria-label': 'Copy or save' }, ...this.#items.values());
    this.#button.setAttribute('aria-haspopup', 'menu');
    this.#button.setAttribute('aria-expanded', 'false');
    this.#popup.append(menu, this.#hint);
    this.element.append(this.#button, this.#popup);
    for (const [form, item] of this.#items) {
      item.addEventListener('click', () => {
        if (item.getAttribute('aria-disabled') === 'true') return;
        this.#closeHere();
        take(form);
      });
    }
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node) || !this.element.contains(relatedTarget)) this.open(false);
    });
  }

  update({ answer, choices, recording }: State): void {
    this.#button.disabled = answer === null || answer.totalUs <= 0;
    if (this.#button.disabled) this.open(false);
    const isGraph = hasGraph({ answer, choices, recording });
    this.#hint.hidden = isGraph;
    for (const [form, item] of this.#items) item.setAttribute('aria-disabled', String(form !== 'markdown' && !isGraph));
  }

  get #isOpen(): boolean {
    return this.#button.getAttribute('aria-expanded') === 'true';
  }

  /** Opening moves the focus into the menu; closing does not move it. */
  open(isOpen: boolean): void {
    if (isOpen) this.#onOpen();
    this.#popup.hidden = !isOpen;
    this.#button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) this.#items.get('markdown')?.focus();
  }

  #closeHere(): void {
    this.#button.focus();
    this.open(false);
  }

  #key(event: KeyboardEvent): void {
    const items = [...this.#items.values()];
    const at = items.findIndex((item) => item === document.activeElement);
    if (event.key === 'Escape' && this.#isOpen) this.#closeHere();
    else if (event.key === 'ArrowDown' && !this.#isOpen) this.open(true);
    else if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items.at((at - 1) % items.length)?.focus();
    else if (event.key === 'Home') items[0]?.focus();
    else if (event.key === 'End') items.at(-1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Whether frames are drawn that can become a picture. An empty list of operations has none. */
export function hasGraph({ answer, choices, recording }: Pick<State, 'answer' | 'choices' | 'recording'>): boolean {
  if (answer?.functions !== undefined || (answer?.operations !== undefined && answer.picked === undefined))
    return false;
  return answer?.callers !== undefined || choices.view !== 'tree' || recording === null;
}
