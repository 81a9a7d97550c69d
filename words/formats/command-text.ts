import type { Summary } from '../../protocol/summary.ts';

/** A command as people call it: `npm test` for `npm run test`, as every list of targets has it. */
export function commandText([program = '', ...args]: readonly string[]): string {
  const [verb, script = ''] = args;
  const isShort = verb === 'run' && /^(npm|pnpm|yarn)$/.test(program) && /^(test|start)$/.test(script);
  return [program, ...(isShort ? args.slice(1) : args)].join(' ');
}

/** The same with files as they are called from the folder in which it ran. */
export function commandTextIn(cwd: string | null, command: readonly string[]): string {
  return commandText(cwd === null ? command : command.map((word) => word.replaceAll(`${cwd}/`, '')));
}

/** What runs in a Node process, from its command line: `server.js --port 80`; all of it where it names no program. */
export function processLabel(command: string): string {
  const [, ...words] = command.split(/\s+/);
  const start = words.findIndex((word, index) => !word.startsWith('-') && !withValue.test(words[index - 1] ?? ''));
  const program = words[start];
  if (program === undefined) return command;
  return [program.replace(/^.*[/\\](?=.)/, ''), ...words.slice(start + 1)].join(' ');
}

/** Options of node that take the next word as their value. */
const withValue = /^(-r|-C|--require|--import|--loader|--experimental-loader|--conditions|--env-file)$/;

/** What a result is called beside others: `npm test in packages/core`. */
export function resultLabel({ title, where }: Pick<Summary, 'title' | 'where'>): string {
  return where === '' ? title : `${title} in ${where}`;
}
