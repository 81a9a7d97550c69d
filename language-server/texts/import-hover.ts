import { escapeMarkdown } from '../../words/formats/escape-markdown.ts';
import { duration, packageFigures } from '../../words/formats/figures.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnnotatedImport } from '../answers/file-annotations.ts';

/** Markdown of the hover on a marked import: why its figures stand there, and whose they are. */
export function importHover(
  { package: blamed, worstUs, isOneOf }: AnnotatedImport,
  thresholdUs: Microseconds,
  remedies: readonly string[],
): string {
  const title =
    blamed === null
      ? `loaded in **${duration(worstUs)}**`
      : `**${escapeMarkdown(blamed.name)}** · ${packageFigures({ ...blamed, worstUs }, thresholdUs)}`;
  const why =
    blamed === null
      ? 'The time to find, read, compile and evaluate this module and what it loads, when this line asked for it.'
      : 'While it held the event loop no line of yours was on the stack: Node.js had called it back. What calls it is behind an import of it; look for its calls in this file.';
  const others = isOneOf ? ['Other lines import it too: these figures are those of all of them together.'] : [];
  return [title, ...remedies.map((remedy) => `*${remedy}*`), [why, ...others].join(' ')].join('\n\n');
}
