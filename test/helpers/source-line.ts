import { readFileSync } from 'node:fs';

/** The line of a file, 1-based, that has this text in it. Throws unless there is exactly one. */
export function lineOf(file: string, text: string): number {
  const lines = readFileSync(file, 'utf8').split('\n');
  const found = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  const [line] = found;
  if (line === undefined || found.length > 1) throw new Error(`"${text}" stands ${found.length} times in ${file}.`);
  return line;
}
