import { element, icon, toolButton } from './basics/dom.ts';
import { countText, countTitle, problemText } from './matches.ts';
import type { PageEvent, State } from './basics/page-state.ts';

/** Pause in typing after which everything is searched, in ms. */
const typingPause = 120;

/** The search by text or by regular expression, with the number of matches beside it. */
export class SearchBox {
  readonly element = element('div', { class: 'searching-tools' });
  /** Why a regular expression finds nothing. */
  readonly problem = element('p', { class: 'search-problem', role: 'status', hidden: '' });
  readonly #input = element('input', {
    type: 'text',
    placeholder: 'Search functions and files',
    'aria-label': 'Search',
    spellcheck: 'false',
    maxlength: '200',
  });
  readonly #regex = toolButton('regex', 'Regular expression');
  readonly #count = element('span', { class: 'search-count', role: 'status' });
  readonly #dispatch: (event: PageEvent) => void;
  #isRegex = false;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(dispatch: (event: PageEvent) => void) {
    this.#dispatch = dispatch;
    const box = element('div', { class: 'search' }, icon('search'), this.#input, this.#regex);
    this.element.append(box, this.#count);
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#regex.addEventListener('click', () => this.#find(!this.#isRegex));
  }

  update(state: State): void {
    this.#isRegex = state.choices.isRegex;
    this.#regex.setAttribute('aria-pressed', String(this.#isRegex));
    // What was typed a moment ago is searched for soon, also where the focus has left it since.
    const isTyped = document.activeElement === this.#input || this.#typing !== undefined;
    if (!isTyped) this.#input.value = state.choices.pattern;
    const problem = problemText(state);
    this.problem.hidden = problem === null;
    setText(this.problem, problem ?? '');
    setText(this.#count, countText(state));
    this.#count.title = countTitle(state);
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  clear(): void {
    this.#input.value = '';
    this.#find(this.#isRegex);
  }

  #typed(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#find(this.#isRegex), typingPause);
  }

  #find(isRegex: boolean): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#dispatch({ type: 'searchFor', pattern: this.#input.value, isRegex });
  }

  /** Enter goes to the next match, also of what was typed a moment ago. */
  #key(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (this.#typing !== undefined) this.#find(this.#isRegex);
    this.#dispatch({ type: 'goToMatch', step: event.shiftKey ? -1 : 1 });
  }
}

/** A text that stays the same is not announced again. */
function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.replaceChildren(text);
}
