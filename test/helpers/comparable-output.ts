import { stripVTControlCharacters } from 'node:util';

/** The differences between the outputs of two runs of one command. */
export interface OutputDifference {
  /** Lines that one output has more often than the other: `- ` marks the first output, `+ ` the second. */
  readonly lines: readonly string[];
  /** True where both have the same lines in another order: files that run at the same time end in any order. */
  readonly isReordered: boolean;
}

/**
 * Compares two outputs without what differs from run to run (durations, times of day, dates and process ids), and without what
 * `hotspan record --quiet` says of its own: what it has lost.
 */
export function compareOutputs(one: string, other: string): OutputDifference {
  const [left, right] = [comparableOutput(one), comparableOutput(other)];
  const lines = [
    ...withoutThose(left, right).map((line) => `- ${line}`),
    ...withoutThose(right, left).map((line) => `+ ${line}`),
  ];
  return { lines, isReordered: lines.length === 0 && left.join('\n') !== right.join('\n') };
}

/** Lines of an output, with a word in the place of each duration, time, date and process id, without colours. */
function comparableOutput(text: string): readonly string[] {
  const replaced = replacements.reduce(
    (rest, [pattern, word]) => rest.replaceAll(pattern, word),
    stripVTControlCharacters(text),
  );
  return replaced
    .split('\n')
    .map((line) => line.replaceAll(/\s+DURATION$/g, '').trimEnd())
    .filter((line) => line !== '');
}

/**
 * In this order. Runners name a duration only where it is long (jest over 5 s, vitest over 0.3 s, mocha over 37 ms,
 * jest's estimate): so one at the end of a line is left out, with its brackets. Vitest 5 gives advice where its workers took
 * long to start, as they do while they are recorded on a busy machine.
 */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'DATE'],
  [/\b\d\d:\d\d:\d\d\b/g, 'TIME'],
  [/\b\d+(\.\d+)?\s*(seconds?|secs?|ms|s|m|μs|µs|ns)\b/g, 'DURATION'],
  [/\b(duration_ms|time|start|end)([:=] ?|\s+)\d+(\.\d+)?\b/g, '$1$2DURATION'],
  [/,? ?\bestimated DURATION/g, ''],
  [/^(\s*Duration)\s+DURATION \(.*\)$/gm, '$1'],
  [/ ?[([{]DURATION[)\]}]/g, ''],
  [/ # time=DURATION\b/g, ''],
  [/^hotspan: .*$/gm, ''],
  [/^\s*Isolate\s+\d+ workers? spawned .*\n.* faster with isolate: false .*$/gm, ''],
  [/\((node):\d+\)/g, '($1:PID)'],
  [/\b(pid|PID)([: ]+)\d+/g, '$1$2PID'],
];

/** The lines that `others` does not have as often. */
function withoutThose(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
