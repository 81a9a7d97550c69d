import { frameChanges } from '../protocol/diff.ts';
import { type FlameAnswer, type FlameFrame, frameCategories, type TiersAnswer } from '../protocol/flame.ts';
import { v8Tiers } from '../protocol/v8-tiers.ts';
import type { FlameHighlight } from '../protocol/webview.ts';
import { plural } from '../words/formats/figures.ts';
import { changeNames, differenceText, emptyText, perText, ruleText } from '../words/formats/diff-texts.ts';
import { visible } from '../words/formats/foreign-text.ts';
import { findPath } from './basics/blocks.ts';
import { closest, element, icon, setPressed, setText, textButton } from './basics/dom.ts';
import { frameName, share, tierLabel } from './basics/frame-text.ts';
import { type Actions, freshChoices, isWholeRun, type PagePart, type State } from './basics/page-state.ts';
import { type CategoryGroup, categoryGroups, type Paint, selfTime, swatch } from './basics/paint.ts';
import { agoText, heldTime } from './basics/time-text.ts';

/**
 * The legend of the kinds of code: what each colour and pattern means, and its share of self time in the zoom. Most
 * kinds can be folded; the shares stay the same.
 */
export function legendBar({ dispatch }: Actions): PagePart {
  const entries = categoryGroups.map((group) => {
    const amount = element('span', { class: 'amount' });
    const parts = [swatch({ kind: 'category', key: group.key }), element('span', {}, group.label), amount];
    const box = element('input', { type: 'checkbox', checked: '' });
    box.addEventListener('change', () => dispatch({ type: 'toggleFolded', categories: group.categories }));
    const entry = group.canFold
      ? element('label', { class: 'entry' }, box, ...parts)
      : element('span', { class: 'entry' }, ...parts);
    return { group, entry, box, amount };
  });
  const attributes = { class: 'legend', role: 'group', 'aria-label': 'Kinds of code that are not folded' };
  const update = (state: State): void => {
    for (const { group, box, amount } of entries) {
      const isFolded = group.categories.some((category) => state.choices.folded.includes(category));
      box.checked = !isFolded;
      amount.textContent = amountText(group, state, isFolded);
    }
  };
  return { element: element('div', attributes, ...entries.map(({ entry }) => entry)), update };
}

/** A share such as `27 % folded`. A kind without any time is never called folded. */
function amountText({ categories }: CategoryGroup, { answer }: State, isFolded: boolean): string {
  if (answer === null) return '';
  const self = selfTime(answer, categories);
  return `${share(self, selfTime(answer, frameCategories))}${isFolded && self > 0 ? ' folded' : ''}`;
}

/** Entries of a legend, each with an amount that `setAmounts` fills in. */
function legendEntries<Key extends string>(
  keys: readonly Key[],
  paintOf: (key: Key) => Paint,
  labelOf: (key: Key) => string,
) {
  const amounts = new Map(keys.map((key) => [key, element('span', { class: 'amount' })]));
  const entries = [...amounts].map(([key, amount]) =>
    element('span', { class: 'entry' }, swatch(paintOf(key)), element('span', {}, labelOf(key)), amount),
  );
  const setAmounts = (textOf: (key: Key) => string): void => {
    for (const [key, amount] of amounts) amount.textContent = textOf(key);
  };
  return { entries, setAmounts };
}

/**
 * The legend of V8's tiers, with buttons that highlight frames. For a profile, it says why there are no tiers and what to
 * do.
 */
export class TierBar implements PagePart {
  readonly #actions: Actions;
  readonly #tiers = legendEntries(v8Tiers, (key) => ({ kind: 'tier', key }), tierLabel);
  readonly #optimized = this.#highlight(
    'optimized',
    'Optimized',
    'Frames whose code Maglev or TurboFan made stand out',
  );
  readonly #notOptimized = this.#highlight(
    'notOptimized',
    'Not optimized',
    'Frames that Ignition or Sparkplug ran stand out',
  );
  readonly #merge = textButton(
    'Merge tiers',
    () =>
      this.#actions.dispatch({
        type: 'choose',
        choices: { tiers: this.#chosen.tiers === 'split' ? 'merged' : 'split' },
      }),
    'One frame for each function, in the color of its most frequent tier',
  );
  readonly #open = this.#request('openTiers', 'Open Its Flamegraph', 'Shows the recording of V8 tiers');
  readonly #record = this.#request(
    'recordTiers',
    'Record V8 Tiers',
    'Runs the same command once more, with V8 keeping its log',
  );
  readonly #back = this.#request(
    'openProfile',
    'Back to the Profile',
    'Shows the flamegraph with the figures of your lines',
  );
  readonly #legend = element(
    'div',
    { class: 'tier-legend', role: 'group', 'aria-label': 'V8 tiers' },
    ...this.#tiers.entries,
    element('span', { class: 'tier-buttons' }, this.#optimized, this.#notOptimized, this.#merge, this.#back),
  );
  readonly #hintText = element('span');
  readonly #hint = element('p', { class: 'tier-hint' }, this.#hintText, this.#open, this.#record);
  readonly element = element('div', { class: 'tiers', hidden: '' }, this.#legend, this.#hint);
  #chosen: Pick<State['choices'], 'highlight' | 'tiers'> = freshChoices;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  update({ answer, choices, recording }: State): void {
    const tiers = answer?.tiers;
    this.#chosen = choices;
    this.element.hidden = tiers === undefined;
    if (tiers === undefined) return;
    const isRecorded = tiers.type === 'recorded';
    this.#legend.hidden = !isRecorded;
    this.#hint.hidden = isRecorded;
    this.#open.hidden = tiers.type !== 'secondRun';
    this.#back.hidden = !isRecorded || recording?.isSecondRun !== true;
    setPressed(this.#optimized, choices.highlight === 'optimized');
    setPressed(this.#notOptimized, choices.highlight === 'notOptimized');
    setPressed(this.#merge, choices.tiers === 'merged');
    if (tiers.type !== 'recorded') this.#hintText.textContent = tierHint(tiers, Date.now());
    else {
      const all = v8Tiers.reduce((sum, tier) => sum + tiers.selfByTier[tier], 0);
      this.#tiers.setAmounts((tier) => share(tiers.selfByTier[tier], all));
    }
  }

  #highlight(highlight: FlameHighlight, label: string, title: string): HTMLButtonElement {
    const toggled = (): FlameHighlight => (this.#chosen.highlight === highlight ? 'none' : highlight);
    const toggle = (): void => this.#actions.dispatch({ type: 'redraw', choices: { highlight: toggled() } });
    return textButton(label, toggle, title);
  }

  #request(type: 'openTiers' | 'recordTiers' | 'openProfile', label: string, title: string): HTMLButtonElement {
    return textButton(label, () => this.#actions.post({ type }), title);
  }
}

/** `now` is in ms since the epoch. */
function tierHint(tiers: Exclude<TiersAnswer, { readonly type: 'recorded' }>, now: number): string {
  const why = 'V8 keeps no log while its profiler runs, so this profile has no tiers.';
  if (tiers.type === 'none') return `${why} A second run of the same command can record them.`;
  return `${why} There are tiers from a second run${agoText(tiers.startedAt, now)}.`;
}

/** The legend of a diff: what its times are divided by, and what each colour means, with its sum in the zoomed frame. */
export function diffBar({ dispatch }: Actions): PagePart {
  const per = element('span', { class: 'diff-per' });
  const rule = element('span', { class: 'muted' });
  const all = textButton('Show Whole Runs', () => dispatch({ type: 'showAll' }));
  const { entries, setAmounts } = legendEntries(
    frameChanges,
    (key) => ({ kind: 'change', key }),
    (key) => changeNames[key],
  );
  const title = 'By how much the self times of these frames differ, in the zoomed frame';
  const bar = element(
    'div',
    { class: 'diff', hidden: '' },
    element('p', { class: 'diff-what', role: 'status' }, per, all, rule),
    element('div', { class: 'diff-legend', role: 'group', 'aria-label': 'Changes', title }, ...entries),
  );
  const update = ({ answer }: State): void => {
    const diff = answer?.diff;
    bar.hidden = diff === undefined;
    if (diff === undefined) return;
    per.textContent = perText(diff);
    all.hidden = diff.of === null;
    rule.textContent = ruleText(diff.rule);
    setAmounts((change) => differenceText(diff.differenceByChange[change]));
  };
  return { element: bar, update };
}

/** Says which single operation is shown, with a button back to all. */
export function operationBar({ dispatch }: Actions): PagePart {
  const text = element('span');
  const all = textButton('Show All Operations', () => dispatch({ type: 'showAll' }));
  const bar = element('p', { class: 'operation', role: 'status', hidden: '' }, text, all);
  const update = ({ answer }: State): void => {
    const operation = answer?.picked === undefined ? answer?.operation : undefined; // The list says more about it.
    bar.hidden = operation === undefined;
    if (operation === undefined) return;
    const { durationUs: heldUs, estimated, test } = operation;
    const where = test === null ? '' : `, in the test "${visible(test, 200)}"`;
    text.textContent = `One operation alone: it held the event loop for ${heldTime({ heldUs, estimated })}${where}.`;
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
    const way = answer === null ? [] : findPath(answer.root, shown.zoom);
    bar.hidden = way.length < 2;
    list.replaceChildren(...shortened(way).flatMap((item, index) => (index === 0 ? [item] : [separator(), item])));
  };
  return { element: bar, update };
}

/** A longer path is shortened in the middle: `All › … › handler › clone`. */
const MAX_STEPS = 5;

function shortened(way: readonly FlameFrame[]): readonly HTMLElement[] {
  const steps = way.map((frame, index) => makeStep(frame, index === way.length - 1));
  const left = way.length - MAX_STEPS;
  if (left < 2) return steps;
  const gap = element('li', { class: 'gap', title: plural(left, 'caller') }, '…');
  return [...steps.slice(0, 1), gap, ...steps.slice(left + 1)];
}

function makeStep(frame: FlameFrame, isLast: boolean): HTMLElement {
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

function sentence({ notice, note, answer, choices, shown }: State): string | null {
  if (notice?.kind === 'loading' && answer !== null) return null; // The progress bar shows it, so that nothing moves.
  if (notice !== null) return notice.text;
  if (note !== null) return note;
  if (answer?.diff !== undefined && answer.totalUs <= 0) return emptyText(answer.diff);
  if (answer === null) return null;
  if (answer.totalUs > 0) return isWithoutFunction(shown, answer) ? notHere : null;
  return isWholeRun(choices.part) ? noSamples : nothingInPart;
}

/** Whether callers and callees were asked for, and the answer is the whole graph. */
function isWithoutFunction({ view, around }: State['shown'], { callers, diff }: FlameAnswer): boolean {
  return view === 'around' && around !== null && callers === undefined && diff === undefined;
}

const notHere = 'This function did not run here: the graph shows what did.';
const nothingInPart = 'Nothing ran in this part of the run.';
const noSamples =
  'This recording holds no samples: the program only waited, or ended at once. Profile something that runs longer.';
