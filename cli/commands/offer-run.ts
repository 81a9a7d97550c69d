import { createInterface } from 'node:readline/promises';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { commandText } from '../../words/formats/command-text.ts';
import { type Output, plainText } from '../views/terminal.ts';
import { shownPath } from '../views/shown-code.ts';
import type { Surroundings } from './record.ts';

/** What a person said to `hotspan` alone: the tests to record; null for none. `none`: there is nothing to offer. */
export type Offered = { readonly type: 'answered'; readonly target: Target | null } | { readonly type: 'none' };

/** Says which tests it would record in the current folder, and asks whether to. Enter is yes. */
export async function offerRun(
  err: Output,
  { cwd, env }: Surroundings,
  input: NodeJS.ReadableStream,
): Promise<Offered> {
  // This is a file of its own, which reads configurations of all runners: it is loaded only here.
  const { findTargets } = await import('../../recorder/launch/targets/find-targets.ts');
  const found = await findTargets(cwd, fileReaders(env));
  const [target, ...others] = found.type === 'found' ? found.targets : [];
  if (target === undefined) return { type: 'none' };
  const place = target.folder === cwd ? '' : ` in ${shownPath(target.folder, cwd)}`;
  err.write(`Hotspan runs your tests${plainText(place)}, and shows what blocks the event loop:\n\n`);
  err.write(`  hotspan record -- ${plainText(commandText(target.command))}\n\n`);
  for (const other of others.slice(0, mostOthers))
    err.write(`Also here: ${plainText(`${commandText(other.command)}${inFolder(other, cwd)}`)}\n`);
  const isWanted = await ask('Run it? [Y/n] ', input);
  if (!isWanted)
    err.write('Nothing was run. "hotspan record -- COMMAND" records any command; "hotspan help" shows all.\n');
  return { type: 'answered', target: isWanted ? target : null };
}

const mostOthers = 4;

function inFolder({ folder }: Target, cwd: string): string {
  return folder === cwd ? '' : ` (in ${shownPath(folder, cwd)})`;
}

/** The answer to a question at the terminal. Ctrl+C and Ctrl+D are no. */
async function ask(question: string, input: NodeJS.ReadableStream): Promise<boolean> {
  // Without `terminal` it writes no escape sequences, and the terminal itself lets the line be edited.
  const lines = createInterface({ input, output: process.stderr, terminal: false });
  const ended = new Promise<null>((resolve) => {
    lines.once('close', () => resolve(null));
  });
  const answer = await Promise.race([lines.question(question), ended]);
  lines.close();
  return answer !== null && /^(|y|yes)$/i.test(answer.trim());
}
