import path from 'node:path';
import { standsAgainstTiers } from '../../command-lines/tier-flags.ts';

/** Why a command leaves no V8 logs, as far as its words tell: one sentence, and the run goes on. */
export function tierNotes(command: readonly string[]): readonly string[] {
  const [program = '', ...words] = command;
  const name = path
    .basename(program.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase();
  if (/^(bunx?|deno|electron)$/.test(name))
    return [`${name} is not Node.js, whose V8 could tell its tiers: it runs as always, and leaves no log.`];
  if (!/^node(js)?$/.test(name)) return [];
  const end = words.findIndex((word) => !word.startsWith('-'));
  const own = words.slice(0, end < 0 ? words.length : end).find((word) => standsAgainstTiers(word));
  return own === undefined
    ? []
    : [
        `${own} does not go together with V8's log: the command runs as always, and leaves none. Record it without ${own}.`,
      ];
}
