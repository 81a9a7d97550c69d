import { builtFile, byClockText, duration, plural, wholeTime } from '../../words/formats/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { FunctionDetails, TierDetails } from '../queries/function-details.ts';
import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { StackFrame, StackText } from '../../protocol/requests.ts';
import { type DurationClass, durationClasses } from '../../protocol/figures.ts';

/** Facts about a function besides its figures, each as a sentence. They contain only our own words and numbers. */
export function functionFacts(details: FunctionDetails): readonly string[] {
  const { presenceUs, longestRunUs, selfUs, totalUs, gcUs, loadUs } = details;
  return [
    ...(details.isBuilt ? [`It stands in ${builtFile}.`] : []),
    `With what it calls ${duration(presenceUs)} in one go (≈${duration(longestRunUs)} of it without a break), ${duration(wholeTime(totalUs, presenceUs))} in all.`,
    ...(details.byClockUs === null ? [] : [`Its worst operation took ${byClockText(details.byClockUs)}.`]),
    ...waitFacts(details),
    confidence(details),
    ...(share(gcUs, selfUs) >= 1 ? [`Garbage collection: ${share(gcUs, selfUs)} % of its own time.`] : []),
    ...(share(loadUs, totalUs) >= 1 ? [`Loading of modules: ${share(loadUs, totalUs)} % of its time.`] : []),
  ];
}

/** Sentences about the part of the worst operation in which nothing was computed. */
function waitFacts({ waited }: FunctionDetails): readonly string[] {
  if (waited === null) return [];
  const what = waited.in === null ? 'for something that its stack does not show' : `in ${waited.in}`;
  return [`Of the worst it waited ${duration(waited.us)} ${what}: the loop was held, and nothing computed.`];
}

function confidence({ samples, estimated, inferred, doubt }: FunctionDetails): string {
  const behind = `${plural(samples, 'sample')} behind the worst`;
  if (inferred) return `≈, because this profile does not say where one operation ends and the next begins; ${behind}.`;
  if (doubt === 'noProcessor')
    return `≈, because the machine was busy or the program waited: nobody counted what other processes took; ${behind}.`;
  if (doubt === 'slept')
    return `≈, because the program waited for something while the machine was busy, which may have waited, too; ${behind}.`;
  if (doubt === 'recorder')
    return `≈, because so many callbacks ran at once that recording them took over a tenth of the time, which was taken off; ${behind}.`;
  if (!estimated) return `${behind}.`;
  return samples < 3
    ? `≈, because there are too few samples: ${behind}.`
    : `≈, because samples do not tell exactly who had how much of its operation; ${behind}.`;
}

/** A share in whole percent. */
function share(part: Microseconds, whole: Microseconds): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}

/**
 * The number of operations by how long a function was in them: one bar for each class, the longest at most 24 blocks
 * wide.
 */
export function histogram(byClass: Readonly<Record<DurationClass, number>>): string {
  const most = Math.max(1, ...Object.values(byClass));
  return durationClasses
    .map((name) => {
      const count = byClass[name];
      const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((widest * count) / most)));
      return `${classNames[name].padEnd(9)} ${bar}${bar === '' ? '' : ' '}${count}`;
    })
    .join('\n');
}

const classNames: Readonly<Record<DurationClass, string>> = {
  fast: '≤ 1 ms',
  medium: '≤ 10 ms',
  slow: '≤ 100 ms',
  verySlow: '≤ 1 s',
  monster: '> 1 s',
};

/**
 * How V8 ran a function, as paragraphs of Markdown: bars by tier, facts, deopts (`link` leads to the place of one, by
 * its number), and the diagnosis.
 */
export function tierLines(tiers: TierDetails, link: (label: string, deopt: number) => string): readonly string[] {
  const { times, facts, deopts, diagnosis, from } = tiers;
  const shown = deopts.slice(0, mostDeopts).map(({ reason, meaning, place, count }, number) => {
    const often = count > 1 ? ` (${count} ×)` : '';
    const why = meaning === null ? '' : `. ${meaning}`;
    return `- Deoptimized${often} at ${link(place, number)}: ${escapeMarkdown(reason)}${why}`;
  });
  const rest = deopts.length > mostDeopts ? [`- +${deopts.length - mostDeopts} more`] : [];
  const said = [...facts, ...(from === null ? [] : [from.replace(/\.$/, '')])];
  return [
    ...(times.length === 0 ? [] : [`\`\`\`text\n${tierBars(times)}\n\`\`\``]),
    `${said.map(escapeMarkdown).join(' · ')}.`,
    ...(shown.length === 0 ? [] : [[...shown, ...rest].join('\n')]),
    ...(diagnosis === null ? [] : [`**${escapeMarkdown(diagnosis)}**`]),
  ];
}

const mostDeopts = 4;

function tierBars(times: TierDetails['times']): string {
  const all = times.reduce((sum, { us }) => sum + us, 0);
  return times
    .map(({ name, us }) => {
      const bar = '█'.repeat(Math.max(1, Math.round((widest * us) / all)));
      return `${name.padEnd(9)} ${bar} ${Math.round((100 * us) / all)} %`;
    })
    .join('\n');
}

/** Most blocks of a bar. */
const widest = 24;

/**
 * A call path such as `312 ms: handler › quote › cloneDeep`: own code by name, runs of other code as `…`. `link` makes
 * the text of a frame.
 */
export function stackLine({ us, frames }: StackText, link: (frame: StackFrame) => string): string {
  const parts = frames.flatMap((frame, index) => {
    if (frame.own) return [link(frame)];
    return index > 0 && frames[index - 1]?.own === false ? [] : ['…'];
  });
  return `${duration(us)}: ${parts.join(' › ')}`;
}

export function plainFrame({ label, place }: StackFrame): string {
  return `${escapeMarkdown(label)} (${escapeMarkdown(place)})`;
}
