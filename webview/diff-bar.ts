import { type FrameChange, frameChanges } from '../protocol/diff.ts';
import { changeNames, differenceText, perText, ruleText } from '../words/formats/diff-texts.ts';
import { element } from './dom.ts';
import { swatch } from './paint.ts';
import type { PageEvent, State } from './page-state.ts';

/** What a diff shows: by what its times are divided, and what each colour means, with its sum in the zoomed frame. */
export class DiffBar {
  readonly element = element('div', { class: 'diff', hidden: '' });
  readonly #per = element('span', { class: 'diff-per' });
  readonly #rule = element('span', { class: 'muted' });
  readonly #all = element('button', { type: 'button', class: 'text-button' }, 'Show Whole Runs');
  readonly #amounts: ReadonlyMap<FrameChange, HTMLElement>;

  constructor(dispatch: (event: PageEvent) => void) {
    this.#amounts = new Map(frameChanges.map((change) => [change, element('span', { class: 'amount' })]));
    const entries = [...this.#amounts].map(([key, amount]) => {
      const label = element('span', {}, changeNames[key]);
      return element('span', { class: 'entry' }, swatch({ kind: 'change', key }), label, amount);
    });
    const title = 'By how much the self times of these frames differ, in the zoomed frame';
    const legend = element('div', { class: 'diff-legend', role: 'group', 'aria-label': 'Changes', title }, ...entries);
    const per = element('p', { class: 'diff-what', role: 'status' }, this.#per, this.#all, this.#rule);
    this.element.append(per, legend);
    this.#all.addEventListener('click', () => dispatch({ type: 'showAll' }));
  }

  update({ answer }: State): void {
    const diff = answer?.diff;
    this.element.hidden = diff === undefined;
    if (diff === undefined) return;
    this.#per.textContent = perText(diff);
    this.#all.hidden = diff.of === null;
    this.#rule.textContent = ruleText(diff.rule);
    for (const [change, amount] of this.#amounts) amount.textContent = differenceText(diff.differenceByChange[change]);
  }
}
