import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { heldTime, turnsSuffix } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';

/**
 * Looks, each time it is called, for the longest turn, in held time, that a recording has so far, of any process; null while there is none.
 * Reads only what is new: the turns of an hour are 100 MB. Unreadable files count as empty.
 */
export function worstTurnSoFar(recording: string): () => Promise<Microseconds | null> {
  const read = new Map<string, number>();
  const state = { longest: 0 };
  return async () => {
    const names = await readdir(recording).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(turnsSuffix))) {
      const from = read.get(name) ?? 0;
      const lines = await wholeLinesFrom(path.join(recording, name), from).catch(() => Buffer.alloc(0));
      read.set(name, from + lines.length);
      state.longest = Math.max(state.longest, longestTurn(lines.toString()));
    }
    return state.longest === 0 ? null : microseconds(state.longest);
  };
}

/** At most so many bytes at one look: the rest is for the next. */
const mostBytes = 1e6;

/** The last line may be half written: it is left for the next look. */
async function wholeLinesFrom(file: string, offset: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, offset);
    return buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** Of whole lines, in µs. */
function longestTurn(text: string): number {
  return text
    .split('\n')
    .slice(0, -1)
    .reduce((longest, line) => Math.max(longest, turnDuration(line)), 0);
}

/** `["turn",start,end,run,own,wait]`; 0 for every other line. */
function turnDuration(line: string): number {
  if (!turnLine.test(line)) return 0;
  const [start = 0, end = 0, run = -1, own = 0, wait = 0] = line.slice('["turn",'.length, -1).split(',').map(Number);
  return heldTime(['turn', start, end, run, own, wait]);
}

const turnLine = /^\["turn"(,\s*-?\d+(\.\d+)?){2,}\]$/;
