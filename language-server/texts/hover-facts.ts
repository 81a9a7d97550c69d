import {
  builtFile,
  byClockText,
  duration,
  plural,
  ranTime,
  totalTime,
  worstTime,
} from '../../words/formats/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { FunctionDetails, TierDetails } from '../queries/function-details.ts';
import { codeSpan, escapeMarkdown } from '../../words/formats/foreign-text.ts';
import type { StackFrame, StackText } from '../../protocol/requests.ts';
import { type DurationClass, durationClasses, maxOf } from '../../protocol/figures.ts';

/** Facts about a function besides its figures, as sentences of our own words and numbers. */
export function functionFacts(details: FunctionDetails): readonly string[] {
  const { selfUs, totalUs, gcUs, loadUs } = details;
  return [
    ...(details.isBuilt ? [`It is in ${builtFile}.`] : []),
    ...presenceFacts(details),
    ...(details.byClockUs === null ? [] : [`Its worst time took ${byClockText(details.byClockUs)}.`]),
    ...waitFacts(details),
    confidence(details),
    ...(share(gcUs, selfUs) >= 1 ? [`Garbage collection: ${share(gcUs, selfUs)} % of its own time.`] : []),
    ...(share(loadUs, totalUs) >= 1 ? [`Loading of modules: ${share(loadUs, totalUs)} % of its time.`] : []),
  ];
}

/** Its time with its callees, unless its figures say the same. */
function presenceFacts(details: FunctionDetails): readonly string[] {
  const { hot, presenceUs, isPresenceEstimated, longestRunUs, totalUs, byClass } = details;
  const presence = { worstUs: presenceUs, estimated: isPresenceEstimated };
  const operations = Object.values(byClass).reduce((sum, count) => sum + count, 0);
  const isMore = hot === null || duration(hot.worstUs) !== duration(presenceUs);
  const most = isMore ? [worstTime(presence)] : [];
  const all = `${totalTime(totalUs, presence)} in all, in ${operations} operations: \`${histogram(byClass)}\``;
  const parts = operations > 1 ? [...most.map((time) => `up to ${time}`), all] : most;
  return [
    ...(parts.length === 0 ? [] : [`With what it calls ${parts.join(', ')}.`]),
    ...(longestRunUs * 2 < presenceUs ? [`Not in one call: ≈${duration(longestRunUs)} at most without a break.`] : []),
  ];
}

/** Sentences about sleep in the worst operation. */
function waitFacts({ waited, hot }: FunctionDetails): readonly string[] {
  if (waited === null) return [];
  const what = waited.in === null ? 'for something that its stack does not show' : `in ${waited.in}`;
  const ran = hot === null ? null : ranTime(hot);
  const rest = ran === null ? '' : ` It computed for at most ${ran}.`;
  return [
    `During its worst time it waited ${duration(waited.us)} ${what}: the loop was held, and nothing computed.${rest}`,
  ];
}

function confidence({ samples, estimated, inferred, doubt }: FunctionDetails): string {
  const behind = `${plural(samples, 'sample')} behind the worst`;
  if (inferred) return `≈: this profile does not say where one operation ends and the next begins; ${behind}.`;
  if (doubt === 'noProcessor')
    return `≈: the machine was busy or the program waited, and how much of its time other processes had was not measured; ${behind}.`;
  if (doubt === 'slept')
    return `≈: it waited for something while the machine was busy, and a part of that may have been for a processor; ${behind}.`;
  if (doubt === 'turnSlept' && samples >= 3)
    return `≈: the turn that it is a part of waited while the machine was busy, and some of that may be in its time; ${behind}.`;
  if (doubt === 'recorder')
    return `≈: so many callbacks ran at once that recording them took over a tenth of the time, which was taken off; ${behind}.`;
  if (!estimated) return `${behind}.`;
  return samples < 3
    ? `≈: there are too few samples; ${behind}.`
    : `≈: samples do not tell exactly who had how much of its operation; ${behind}.`;
}

function share(part: Microseconds, whole: Microseconds): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}

/** Operations by the time that a function had in them: `≤10 ms ▁ 1 · ≤1 s █ 10`. Empty classes are left out. */
export function histogram(byClass: Readonly<Record<DurationClass, number>>): string {
  const most = Math.max(1, maxOf(Object.values(byClass)));
  return durationClasses
    .filter((name) => byClass[name] > 0)
    .map(
      (name) =>
        `${classNames[name]} ${bars[Math.ceil((byClass[name] * bars.length) / most) - 1] ?? ''} ${byClass[name]}`,
    )
    .join(' · ');
}

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

const classNames: Readonly<Record<DurationClass, string>> = {
  fast: '≤1 ms',
  medium: '≤10 ms',
  slow: '≤100 ms',
  verySlow: '≤1 s',
  monster: '>1 s',
};

/** How V8 ran a function, as Markdown: tiers and facts, deopts (`link`: to one, by number), the diagnosis. */
export function tierLines(tiers: TierDetails, link: (label: string, deopt: number) => string): readonly string[] {
  const { times, facts, deopts, diagnosis, from } = tiers;
  const shown = deopts.slice(0, MAX_DEOPTS).map(({ reason, meaning, place, count }, number) => {
    const often = count > 1 ? ` (${count} ×)` : '';
    const why = meaning === null ? '' : `. ${meaning}`;
    return `- Deoptimized${often} at ${link(place, number)}: ${escapeMarkdown(reason)}${why}`;
  });
  const rest = deopts.length > MAX_DEOPTS ? [`- +${deopts.length - MAX_DEOPTS} more`] : [];
  const said = [...facts, ...(from === null ? [] : [from.replace(/\.$/, '')])];
  return [
    [...tierShares(times), `${said.map(escapeMarkdown).join(' · ')}.`].join('  \n'),
    ...(shown.length === 0 ? [] : [[...shown, ...rest].join('\n')]),
    ...(diagnosis === null ? [] : [`**${escapeMarkdown(diagnosis)}**`]),
  ];
}

const MAX_DEOPTS = 3;

/** The tiers in one row: `Sparkplug ▆ 75 % · TurboFan ▂ 25 %`. */
function tierShares(times: TierDetails['times']): readonly string[] {
  const all = times.reduce((sum, { us }) => sum + us, 0);
  const parts = times.map(({ name, us }) => {
    return `${name} ${bars[Math.ceil((us * bars.length) / all) - 1] ?? ''} ${Math.round((100 * us) / all)} %`;
  });
  return parts.length === 0 ? [] : [`\`${parts.join(' · ')}\``];
}

/** A call path such as `≈312 ms: handler › quote › cloneDeep`. Other code is `…`; `link` makes the text of a frame. */
export function stackLine(stack: StackText, link: (frame: StackFrame) => string): string {
  const parts = stack.frames.flatMap((frame, index) => {
    if (frame.own) return [link(frame)];
    return index > 0 && stack.frames[index - 1]?.own === false ? [] : ['…'];
  });
  return `${worstTime(stack)}: ${parts.join(' › ')}`;
}

export function plainFrame({ label, place }: StackFrame): string {
  return `${escapeMarkdown(label)} (${codeSpan(place)})`;
}
