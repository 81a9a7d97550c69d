import { parseArguments } from '../../cli/arguments/arguments.ts';
import { analyzeCommand } from '../../cli/commands/analyze.ts';
import { checkCommand } from '../../cli/commands/check.ts';
import { compareCommand } from '../../cli/commands/compare.ts';
import { exportCommand } from '../../cli/commands/export.ts';
import { outputOf, refuse, type Session } from '../../cli/views/terminal.ts';
import { projectRoot } from './project.ts';
import type { CliRun } from './run-cli.ts';

interface Place {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command that reads recordings, as `runCli` does, but in this process: to start a process and to load the command
 * takes most of the time of one.
 */
export async function runHere(words: readonly string[], { cwd = projectRoot, env = process.env }: Place = {}) {
  const [out, err] = [textOutput(env), textOutput(env)];
  const terminal = { out: out.output, err: err.output };
  const surroundings = { cwd, env, recorderFile: '', version: '0.1.0' };
  const session = <Options>(options: Options): Session<Options> => ({ options, terminal, surroundings });
  const code = await codeOf(words, session);
  return { code, signal: null, stdout: out.text(), stderr: err.text() } satisfies CliRun;
}

/** As `cli/main.ts` chooses the command. */
async function codeOf(words: readonly string[], session: <Options>(options: Options) => Session<Options>) {
  const invocation = parseArguments(words);
  if (invocation.type === 'invalid') return refuse(session(null).terminal.err, invocation.message);
  if (invocation.type === 'analyze') return analyzeCommand(session(invocation.options));
  if (invocation.type === 'check') return checkCommand(session(invocation.options));
  if (invocation.type === 'compare') return compareCommand(session(invocation.options));
  if (invocation.type === 'export') return exportCommand(session(invocation.options));
  throw new Error(`${words.join(' ')} (${invocation.type}) needs a process of its own.`);
}

function textOutput(env: NodeJS.ProcessEnv) {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text), once: () => {} };
  return { output: outputOf(stream, { ...env, FORCE_COLOR: undefined }), text: () => texts.join('') };
}
