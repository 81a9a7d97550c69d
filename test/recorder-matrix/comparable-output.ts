import { stripVTControlCharacters } from 'node:util';

/** What a run said, without what differs from run to run: times, process ids, and the order of lines. */
export function comparableOutput(text: string): string {
  const lines = stripVTControlCharacters(text)
    .replaceAll(/\b\d+(\.\d+)?\s*(seconds|ms|s|m|μs|µs)\b/g, 'TIME')
    .replaceAll(/(duration_ms|Start at|Time:|time=|estimated|start:|end:|time:)[ :]*[\d.:]+/g, '$1 TIME')
    .replaceAll(/,? ?estimated TIME| ?\(TIME\)|# time=.*$/gm, '')
    .replaceAll(/Duration .*|Done in .*|\bpid \d+/g, '')
    .split('\n')
    .map((line) => line.replaceAll(/ +TIME$/g, '').trimEnd());
  return lines.toSorted().join('\n');
}
