import { createInterface } from 'node:readline';
import { fileReaders, type Readers } from '../../recorder/launch/packages/readers.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { commandText, shellText } from '../../words/formats/command-text.ts';
import { type Output, plainText, type Surroundings } from '../views/terminal.ts';
import { cut, shownPath } from '../views/shown-code.ts';

/** The tests to record; null if the user declined. `none`: there are none, and `message` says what to do instead. */
type Offered =
  | { readonly type: 'answered'; readonly target: Target | null }
  | { readonly type: 'none'; readonly message: string };

/** Shows the tests of the current folder, and asks whether to record them. Enter is yes. */
export async function offerRun(
  err: Output,
  { cwd, env }: Surroundings,
  input: NodeJS.ReadableStream,
): Promise<Offered> {
  // Loaded on demand: it reads the configurations of all runners.
  const { findTargets } = await import('../../recorder/launch/targets/find-targets.ts');
  const readers = fileReaders(env);
  const found = await findTargets(cwd, readers);
  const [target, ...others] = found.type === 'found' ? found.targets : [];
  if (target === undefined) return { type: 'none', message: await withoutTests(cwd, readers) };
  const place = target.folder === cwd ? '' : ` in ${shownPath(target.folder, cwd)}`;
  err.write(`Hotspan runs your tests${plainText(place)}, and shows what blocks the event loop:\n\n`);
  const variables = Object.entries(target.env).map(([name, value]) => `${name}=${shellText([value])} `);
  const folder = target.folder === cwd ? '' : `cd ${shellText([shownPath(target.folder, cwd)])} && `;
  err.write(`  ${plainText(`${folder}${variables.join('')}hotspan record -- ${typed(target)}`)}\n`);
  err.write(`${target.script === undefined ? '' : `  which runs: ${scriptText(target.script)}\n`}\n`);
  for (const other of others.slice(0, MAX_OTHERS))
    err.write(`Also here: ${plainText(`${commandText(other.command)}${inFolder(other, cwd)}`)}${scriptIn(other)}\n`);
  err.write('Run it? [Y/n] ');
  const isWanted = await isYes(input);
  if (!isWanted)
    err.write('Nothing was run. "hotspan record -- COMMAND" records any command; "hotspan help" shows all.\n');
  return { type: 'answered', target: isWanted ? target : null };
}

/** What to type in a folder in which no tests are found. */
async function withoutTests(cwd: string, readers: Readers): Promise<string> {
  const { appTargets } = await import('../../recorder/launch/targets/app-targets.ts');
  const apps = await appTargets(cwd, readers);
  const app = apps.type === 'found' ? apps.targets.find(({ folder }) => folder === cwd) : undefined;
  const command = app === undefined ? 'node FILE.js' : typed(app);
  return `No tests of a runner were found here. Record ${app === undefined ? 'a program' : 'the app'}: "hotspan -- ${command}".`;
}

function typed({ command }: Target): string {
  return commandText(command.map((word) => shellText([word])));
}

const MAX_OTHERS = 4;

/** Shown because a script may also build, check or rewrite sources. */
function scriptText(text: string): string {
  return cut(plainText(text), MAX_SCRIPT);
}

/** In columns. */
const MAX_SCRIPT = 200;

function scriptIn({ script }: Target): string {
  return script === undefined ? '' : `: ${scriptText(script)}`;
}

function inFolder({ folder }: Target, cwd: string): string {
  return folder === cwd ? '' : ` (in ${shownPath(folder, cwd)})`;
}

/** Whether the next line is `y`, `yes` or empty. The end of the input (Ctrl+D) means no. */
async function isYes(input: NodeJS.ReadableStream): Promise<boolean> {
  // Without an output it writes no escape sequences; the terminal edits the line.
  const lines = createInterface({ input });
  const answer = await new Promise<string | null>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(null));
  });
  lines.close();
  return answer !== null && /^(|y|yes)$/i.test(answer.trim());
}
