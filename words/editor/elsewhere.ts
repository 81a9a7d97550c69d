import type { PathRule, PathSuggestion } from '../../protocol/path-rules.ts';
import { visible } from '../formats/hidden-characters.ts';

/** The question whether files of a recording are those here. `shown` shortens a path here to one in the open folder. */
export function elsewhereQuestion(suggestion: PathSuggestion, shown: (folder: string) => string): string {
  const { files, found, rules, others } = suggestion;
  const many = files === 1 ? 'The file of this recording is' : `${found} of ${files} files of this recording are`;
  const where = `${many} in this folder under another path`;
  const [first] = rules;
  if (others.length > 0 && first !== undefined)
    return `${where}: ${visible(first.from, longest)} may be ${others.length + 1} folders here. Which is it?`;
  return `${where}: ${rules.map((rule) => ruleText(rule, shown)).join(', ')}. Use it?`;
}

/** `/app → packages/api` */
export function ruleText({ from, to }: PathRule, shown: (folder: string) => string): string {
  return `${visible(from, longest)} → ${visible(shown(to), longest)}`;
}

const longest = 200;
