import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import type { TierDetails } from '../queries/tier-details.ts';

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

const widest = 24;
