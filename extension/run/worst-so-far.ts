import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { turnsSuffix } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';

/** The longest turn that a recording has so far, of any process; null while there is none. Unreadable files count as empty. */
export async function worstTurnSoFar(recording: string): Promise<Microseconds | null> {
  const names = await readdir(recording).catch(() => []);
  const texts = names
    .filter((name) => name.endsWith(turnsSuffix))
    .map((name) => readFile(path.join(recording, name), 'utf8').catch(() => ''));
  const longest = Math.max(0, ...(await Promise.all(texts)).map(longestTurn));
  return longest === 0 ? null : microseconds(longest);
}

/** In µs. The last line may be half written: it is left for the next look. */
export function longestTurn(text: string): number {
  return text
    .split('\n')
    .slice(0, -1)
    .reduce((longest, line) => Math.max(longest, turnDuration(line)), 0);
}

/** `["turn",start,end,cpu]`; 0 for every other line. */
function turnDuration(line: string): number {
  const [, start, end] = /^\["turn",\s*(\d+(?:\.\d+)?),\s*(\d+(?:\.\d+)?)/.exec(line) ?? [];
  return start === undefined || end === undefined ? 0 : Number(end) - Number(start);
}
