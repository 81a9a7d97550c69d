import { errorOf } from '../protocol/failure.ts';
import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { type Invocation, parseArguments } from './arguments/arguments.ts';
import type { Command } from './arguments/command.ts';
import type { Shell } from './arguments/small-commands.ts';
import {
  type Ending,
  outputOf,
  plainText,
  startedAs,
  type Surroundings,
  type Terminal,
  type Session,
} from './views/terminal.ts';

const terminal: Terminal = { out: outputOf(process.stdout, process.env), err: outputOf(process.stderr, process.env) };

const MIN_NODE = 20;

// A reader that stops reading (`hotspan analyze … | head`) has what it wants.
process.stdout.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
  // What ends in order at a signal has something to delete: it goes on to its end.
  if (code === 'EPIPE' && process.listenerCount('SIGINT') > 0) return;
  if (code === 'EPIPE') process.exit(0);
  terminal.err.write(`hotspan: The result cannot be written (${code}): make room, or send it elsewhere.\n`);
  process.exit(2);
});
// The exit code matters even if no one reads the messages.
process.stderr.on('error', () => {});
// The editor, or `--watch`, has started this process.
if (process.connected !== undefined)
  void import('../recorder/launch/run/own-command-line.ts').then(({ endWithStarter }) => endWithStarter());

void run(parseArguments(process.argv.slice(2)))
  .catch(reportFault)
  .then(end);

async function run(invocation: Invocation): Promise<Ending> {
  const refuse = (message: string): Ending => {
    terminal.err.write(`hotspan: ${message}\n`);
    return { type: 'code', code: 2 };
  };
  if (parseInt(process.versions.node) < MIN_NODE)
    return refuse(`This is Node.js ${process.versions.node}: run Hotspan with ${MIN_NODE} or later.`);
  const cwd = currentFolder();
  if (cwd === null) return refuse('The current folder is not there any more: change to another one.');
  if (invocation.type === 'invalid') return refuse(invocation.message);
  if (invocation.type === 'help') return showHelp(invocation.topic);
  if (invocation.type === 'nothing') return runAlone(cwd);
  if (invocation.type !== 'version') return runCommand(invocation, cwd);
  terminal.out.write(`${manifest.version}\n`);
  return { type: 'code', code: 0 };
}

async function showHelp(topic: Command | null): Promise<Ending> {
  const { helpText } = await import('./manual/help.ts');
  terminal.out.write(helpText(topic, terminal.out.columns, startedAs(process.env)));
  return { type: 'code', code: 0 };
}

/** `hotspan` alone offers to record the tests, at a terminal; without tests it shows the help, and what to record. */
async function runAlone(cwd: string): Promise<Ending> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return showHelp(null);
  const { offerRun } = await import('./commands/offer-run.ts');
  const offered = await offerRun(terminal.err, surroundings(cwd), process.stdin);
  if (offered.type === 'none') {
    const ending = await showHelp(null);
    terminal.err.say(offered.message);
    return ending;
  }
  if (offered.target === null) return { type: 'code', code: 0 };
  const { command, folder, env, notes } = offered.target;
  const invocation = parseArguments(['record', ...notes.map((note) => `--note=${note}`), '--', ...command]);
  if (invocation.type !== 'record') throw new Error('An offered target is a command to record.');
  const { recordCommand } = await import('./commands/record.ts');
  const where = { ...surroundings(folder), env: { ...process.env, ...env } };
  return recordCommand({ options: invocation.options, terminal, surroundings: where });
}

/** Prints an unexpected error, such as a missing folder for temporary files. Its exit code is not that of a verdict. */
function reportFault(error: unknown): Ending {
  const { message, stack = '' } = errorOf(error);
  const isSystemError = error instanceof Error && 'code' in error;
  terminal.err.write(
    `hotspan: ${plainText(`This could not be done: ${message}.`)}\n${isSystemError ? '' : `${stack}\n`}`,
  );
  return { type: 'code', code: 2 };
}

type Runnable = Exclude<Invocation, { readonly type: 'help' | 'version' | 'nothing' | 'invalid' }>;

/** Loads only the command that runs. */
async function runCommand(invocation: Runnable, cwd: string): Promise<Ending> {
  const around = surroundings(cwd);
  const session = <Options>(options: Options): Session<Options> => ({ options, terminal, surroundings: around });
  switch (invocation.type) {
    case 'analyze':
      return code((await import('./commands/analyze.ts')).analyzeCommand(session(invocation.options)));
    case 'recordings':
      return code((await import('./commands/recordings.ts')).recordingsCommand(session(invocation.options)));
    case 'histogram':
      return code((await import('./commands/histogram.ts')).histogramCommand(session(invocation.options)));
    case 'compare':
      return code((await import('./commands/compare.ts')).compareCommand(session(invocation.options)));
    case 'comparePairs':
      return code((await import('./commands/compare.ts')).comparePairsCommand(session(invocation.options)));
    case 'recheck':
      return code((await import('./commands/recheck.ts')).recheckCommand(session(invocation.options)));
    case 'watch':
      return code((await import('./commands/watch-saves.ts')).watchCommand(session(invocation.options)));
    case 'load':
      return code((await import('./commands/send-load.ts')).loadCommand(session(invocation.options)));
    case 'makeSure':
      return code((await import('./commands/make-sure.ts')).makeSureCommand(session(invocation.options)));
    case 'baseline':
      return code((await import('./commands/baseline.ts')).baselineCommand(session(invocation.options)));
    case 'check':
      return code((await import('./commands/check.ts')).checkCommand(session(invocation.options)));
    case 'export':
      return code((await import('./commands/export.ts')).exportCommand(session(invocation.options)));
    case 'mcp':
      return code((await import('./mcp/serve.ts')).mcpCommand(session(invocation.options)));
    case 'languageServer':
      return serveEditors();
    case 'completion':
      return printCompletion(invocation.options.shell);
    case 'attach':
      return (await import('./commands/attach.ts')).attachCommand(session(invocation.options));
    case 'record':
      return (await import('./commands/record.ts')).recordCommand(session(invocation.options));
  }
}

/** The server ends this process. */
async function serveEditors(): Promise<Ending> {
  await import('../language-server/main.ts');
  return { type: 'code', code: 0 };
}

async function printCompletion(shell: Shell): Promise<Ending> {
  terminal.out.write((await import('./manual/completions.ts')).completions[shell]());
  return { type: 'code', code: 0 };
}

async function code(exitCode: Promise<number>): Promise<Ending> {
  return { type: 'code', code: await exitCode };
}

function surroundings(cwd: string): Surroundings {
  return { cwd, env: process.env, recorderFile: path.join(__dirname, 'recorder.cjs'), version: manifest.version };
}

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null; // The folder was deleted.
  }
}

/** Ends the process by the signal that ended the command, else when all output is written. */
function end(ending: Ending): void {
  if (ending.type === 'code') process.exitCode = ending.code;
  else process.kill(process.pid, ending.signal);
}
