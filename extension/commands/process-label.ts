/** Options of node that take the next word as their value. */
const withValue = /^(-r|-C|--require|--import|--loader|--experimental-loader|--conditions|--env-file)$/;

/** What runs in a Node process, from its command line: `server.js --port 80`; all of it where it names no program. */
export function processLabel(command: string): string {
  const [, ...words] = command.split(/\s+/);
  const start = words.findIndex((word, index) => !word.startsWith('-') && !withValue.test(words[index - 1] ?? ''));
  const program = words[start];
  if (program === undefined) return command;
  return [program.replace(/^.*[/\\](?=.)/, ''), ...words.slice(start + 1)].join(' ');
}
