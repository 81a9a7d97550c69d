import { scriptName } from '../../protocol/machine-path.ts';
import type { Summary } from '../../protocol/summary.ts';

/** A command as usually typed: `npm test` for `npm run test`. */
export function commandText([program = '', ...args]: readonly string[]): string {
  const [verb, script = ''] = args;
  const isShort = verb === 'run' && /^(npm|pnpm|yarn)$/.test(program) && /^(test|start)$/.test(script);
  return [program, ...(isShort ? args.slice(1) : args)].join(' ');
}

/** Words as the system's shell reads them again: `'my app/server.js' --port 80`. For a command that is to be copied. */
export function shellText(words: readonly string[], isWindows = process.platform === 'win32'): string {
  const plain = isWindows ? /^[\w.\\/:=@+,-]+$/ : /^[\w./:=@%+,-]+$/;
  const quoted = (word: string): string =>
    isWindows ? `"${word.replaceAll('"', '""')}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return words.map((word) => (plain.test(word) ? word : quoted(word))).join(' ');
}

/** A command as usually typed, with files relative to the folder in which it ran. */
export function commandTextIn(cwd: string | null, command: readonly string[]): string {
  return commandText(cwd === null ? command : command.map((word) => word.replaceAll(`${cwd}/`, '')));
}

/** `server.js --port 80`, `tsx server.ts` from the command line of a Node process; all of it if it names no program. */
export function processLabel(command: string): string {
  const [node = '', ...words] = command.split(/\s+/);
  const start = words.findIndex(
    (word, index) => !word.startsWith('-') && !valuedNodeOption.test(words[index - 1] ?? ''),
  );
  const program = words[start];
  if (program === undefined || !/(^|[/\\])node(js)?(\.exe)?$/.test(node)) return command;
  return [scriptName(program), ...words.slice(start + 1)].join(' ');
}

/** Options of Node 20 to 26 whose value is the next word, without those of `--test`. */
export const valuedNodeOption =
  /^-(r|C|-(require|import|(experimental-)?loader|experimental-(default-type|config-file|package-map|sea-config)|conditions|env-file(-if-exists)?|watch-(path|kill-signal)|title|input-type|(inspect|debug)-port|inspect-publish-uid|unhandled-rejections|dns-result-order|disable-(warning|proto)|max-http-header-size|icu-data-dir|redirect-warnings|openssl-config|(cpu|heap)-prof-(dir|name|interval)|diagnostic-dir|report-(dir|directory|filename|signal)|allow-fs-(read|write)|trace-(event-categories|event-file-pattern|require-module)|tls-(cipher-list|keylog)|heapsnapshot-(signal|near-heap-limit)|secure-heap(-min)?|v8-pool-size|use-largepages|localstorage-file|snapshot-blob|build-snapshot-config))$/;

/** `npm test in packages/core`. */
export function resultLabel({ title, where }: Pick<Summary, 'title' | 'where'>): string {
  return where === '' ? title : `${title} in ${where}`;
}
