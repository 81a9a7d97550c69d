import { element } from './basics/dom.ts';
import type { PageEvent, State } from './basics/page-state.ts';
import { type CategoryGroup, categoryGroups, swatch } from './basics/paint.ts';
import { share, tierLabel } from './basics/frame-text.ts';
import { ago } from '../words/formats/figures.ts';
import type { TiersAnswer } from '../protocol/flame.ts';
import type { FlameHighlight } from '../protocol/webview.ts';
import { type V8Tier, v8Tiers } from '../protocol/v8-tiers.ts';

/**
 * The legend of the kinds of code: what each colour and pattern means, and its share of self time in the zoom. Most
 * kinds can be folded, which moves none of these shares.
 */
export class Legend {
  readonly element = element('div', {
    class: 'legend',
    role: 'group',
    'aria-label': 'Kinds of code that are not folded',
  });
  readonly #entries: readonly Entry[];

  constructor(dispatch: (event: PageEvent) => void) {
    this.#entries = categoryGroups.map((group) => entryOf(group, dispatch));
    this.element.append(...this.#entries.map((entry) => entry.element));
  }

  update(state: State): void {
    for (const { group, box, amount } of this.#entries) {
      const isFolded = group.categories.some((category) => state.choices.folded.includes(category));
      if (box !== null) box.checked = !isFolded;
      amount.textContent = amountText(group, state, isFolded);
    }
  }
}

interface Entry {
  readonly group: CategoryGroup;
  readonly element: HTMLElement;
  /** Checkbox of the group; null where it cannot be folded. */
  readonly box: HTMLInputElement | null;
  readonly amount: HTMLElement;
}

function entryOf(group: CategoryGroup, dispatch: (event: PageEvent) => void): Entry {
  const amount = element('span', { class: 'amount' });
  const parts = [swatch({ kind: 'category', key: group.key }), element('span', {}, group.label), amount];
  if (!group.canFold) return { group, element: element('span', { class: 'entry' }, ...parts), box: null, amount };
  const box = element('input', { type: 'checkbox', checked: '' });
  box.addEventListener('change', () => dispatch({ type: 'toggleFolded', categories: group.categories }));
  return { group, element: element('label', { class: 'entry' }, box, ...parts), box, amount };
}

/** A share such as `27 % folded`. Of a kind without any time nothing is folded. */
function amountText({ categories }: CategoryGroup, { answer }: State, isFolded: boolean): string {
  if (answer === null) return '';
  const self = categories.reduce((sum, category) => sum + answer.selfByCategory[category], 0);
  const all = Object.values(answer.selfByCategory).reduce((sum, time) => sum + time, 0);
  return `${share(self, all)}${isFolded && self > 0 ? ' folded' : ''}`;
}

interface TierActions {
  readonly dispatch: (event: PageEvent) => void;
  readonly recordTiers: () => void;
  readonly openTiers: () => void;
  readonly openProfile: () => void;
}

/**
 * The legend of V8's tiers, with buttons that let frames stand out. For a profile, it says why there are no tiers and
 * what to do.
 */
export class TierBar {
  readonly element = element('div', { class: 'tiers', hidden: '' });
  readonly #legend = element('div', { class: 'tier-legend', role: 'group', 'aria-label': 'V8 tiers' });
  readonly #amounts: ReadonlyMap<V8Tier, HTMLElement>;
  readonly #highlights: ReadonlyMap<FlameHighlight, HTMLButtonElement>;
  readonly #merge = textButton('Merge tiers', 'One frame for each function, in the color of its most frequent tier');
  readonly #hint = element('p', { class: 'tier-hint' });
  readonly #hintText = element('span', {});
  readonly #open = textButton('Open Its Flamegraph', 'Shows the recording of V8 tiers');
  readonly #record = textButton('Record V8 Tiers', 'Runs the same command once more, with V8 keeping its log');
  readonly #back = textButton('Back to the Profile', 'Shows the flamegraph with the figures of your lines');
  #chosen: Pick<State['choices'], 'highlight' | 'tiers'> = { highlight: 'none', tiers: 'split' };

  constructor({ dispatch, recordTiers, openTiers, openProfile }: TierActions) {
    this.#amounts = new Map(v8Tiers.map((tier) => [tier, element('span', { class: 'amount' })]));
    this.#highlights = new Map([
      ['optimized', textButton('Optimized', 'Frames whose code Maglev or TurboFan made stand out')],
      ['notOptimized', textButton('Not optimized', 'Frames that Ignition or Sparkplug ran stand out')],
    ]);
    const entries = [...this.#amounts].map(([tier, amount]) => {
      const label = element('span', {}, tierLabel(tier));
      return element('span', { class: 'entry' }, swatch({ kind: 'tier', key: tier }), label, amount);
    });
    const buttons = [...this.#highlights.values(), this.#merge, this.#back];
    this.#legend.append(...entries, element('span', { class: 'tier-buttons' }, ...buttons));
    this.#hint.append(this.#hintText, this.#open, this.#record);
    this.element.append(this.#legend, this.#hint);
    for (const [highlight, button] of this.#highlights) {
      const toggled = (): FlameHighlight => (this.#chosen.highlight === highlight ? 'none' : highlight);
      button.addEventListener('click', () => dispatch({ type: 'highlight', highlight: toggled() }));
    }
    this.#merge.addEventListener('click', () => {
      dispatch({ type: 'splitTiers', tiers: this.#chosen.tiers === 'split' ? 'merged' : 'split' });
    });
    this.#open.addEventListener('click', openTiers);
    this.#record.addEventListener('click', recordTiers);
    this.#back.addEventListener('click', openProfile);
  }

  update({ answer, choices, recording }: State): void {
    const tiers = answer?.tiers;
    this.#chosen = choices;
    this.element.hidden = tiers === undefined;
    if (tiers === undefined) return;
    this.#legend.hidden = tiers.type !== 'recorded';
    this.#hint.hidden = tiers.type === 'recorded';
    this.#open.hidden = tiers.type !== 'secondRun';
    this.#record.hidden = tiers.type === 'recorded';
    this.#back.hidden = tiers.type !== 'recorded' || recording?.isSecondRun !== true;
    for (const [highlight, button] of this.#highlights) setPressed(button, choices.highlight === highlight);
    setPressed(this.#merge, choices.tiers === 'merged');
    if (tiers.type === 'recorded') this.#showAmounts(tiers.selfByTier);
    else this.#hintText.textContent = hintOf(tiers, Date.now());
  }

  #showAmounts(times: Readonly<Record<V8Tier, number>>): void {
    const all = v8Tiers.reduce((sum, tier) => sum + times[tier], 0);
    for (const [tier, amount] of this.#amounts) amount.textContent = share(times[tier], all);
  }
}

/** `now` is in ms since the epoch. */
function hintOf(tiers: Exclude<TiersAnswer, { readonly type: 'recorded' }>, now: number): string {
  const why = 'V8 keeps no log while its profiler runs, so this profile has no tiers.';
  if (tiers.type === 'none') return `${why} A second run of the same command can record them.`;
  return `${why} There are tiers from a second run${agoText(tiers.startedAt, now)}.`;
}

/** What stands in place of the verdict of a second run, whose figures are not those of the lines. */
export function secondRunHint(startedAt: string | null, now: number): string {
  return `This is a second run${agoText(startedAt, now)}, with times of its own: your lines show those of the profile.`;
}

/** A text such as `, 2 minutes ago`; empty where the time is not known. */
function agoText(startedAt: string | null, now: number): string {
  const time = Date.parse(startedAt ?? '');
  return Number.isNaN(time) ? '' : `, ${ago(time, now)}`;
}

function setPressed(button: HTMLButtonElement, isPressed: boolean): void {
  button.setAttribute('aria-pressed', String(isPressed));
}

function textButton(label: string, title: string): HTMLButtonElement {
  return element('button', { type: 'button', class: 'text-button', title }, label);
}
