import fc from 'fast-check';
import type { GeneratedTurn } from './generated-turns.ts';
import type { WaitLine } from '../../protocol/recording-lines.ts';

/** How a thread waited for a processor, and how that was read from outside. Times in µs. */
export interface GeneratedWaits {
  /** What it had waited before all turns. */
  readonly base: number;
  readonly everyUs: number;
  /** Turn by turn, over and over: its free time before each of its waits and after the last one, in parts. */
  readonly shapes: readonly (readonly number[])[];
  /** Length of a wait right before each turn. */
  readonly before: number;
  readonly oddity: 'none' | 'goes back' | 'no begin' | 'no end' | 'gaps' | 'of another thread';
}

const shape = fc.constantFrom([1, 1], [0, 1], [1, 0], [1, 3, 1], [3, 1, 1, 1], [0, 1, 1, 1, 2, 1, 0]);

export const generatedWaits: fc.Arbitrary<GeneratedWaits> = fc.record({
  base: fc.constantFrom(0, 70_001),
  everyUs: fc.constantFrom(1000, 1000, 250, 1, 4000, 15_000),
  shapes: fc.array(shape, { minLength: 1, maxLength: 4 }),
  before: fc.constantFrom(0, 0, 300, 1200, 4000),
  oddity: fc.constantFrom(
    'none',
    'none',
    'none',
    'none',
    'goes back',
    'no begin',
    'no end',
    'gaps',
    'of another thread',
  ),
});

/** A line for each reading that had changed; its times are those of the turns. */
export function waitLinesOf(waits: GeneratedWaits, turns: readonly GeneratedTurn[]): readonly WaitLine[] {
  const lines: WaitLine[] = [];
  let waited = waits.base;
  for (const { from, to } of waitsIn(waits, turns)) {
    waited += to - from;
    const at = Math.ceil(to / waits.everyUs) * waits.everyUs;
    const before = at - waits.everyUs;
    const isSame = lines.at(-1)?.[1] === at;
    if (isSame) lines.pop();
    lines.push([before, at, Math.round(waited)]);
  }
  return withOddity(waits, lines);
}

interface Wait {
  readonly from: number;
  readonly to: number;
}

/** In order of time, none reaching into the next. */
function waitsIn({ shapes, before }: GeneratedWaits, turns: readonly GeneratedTurn[]): readonly Wait[] {
  const all = turns.flatMap(({ start, end, own = 0, wait = 0 }, number) => {
    const wall = Math.max(0, end - own - start);
    const total = Math.max(0, Math.min(wait, wall));
    const free = shapes[number % shapes.length] ?? [1, 1];
    const parts = free.reduce((sum, part) => sum + part, 0);
    const each = total / (free.length - 1);
    let now = start;
    const inside = free.slice(0, -1).map((part): Wait => {
      const from = now + ((wall - total) * part) / parts;
      now = from + each;
      return { from, to: now };
    });
    return [{ from: start - before, to: start }, ...inside];
  });
  let last = -Infinity;
  return all.flatMap(({ from, to }) => {
    const wait = { from: Math.max(from, last), to };
    last = Math.max(last, to);
    return wait.to > wait.from ? [wait] : [];
  });
}

function withOddity({ oddity }: GeneratedWaits, lines: readonly WaitLine[]): readonly WaitLine[] {
  if (oddity === 'no begin') return lines.slice(Math.floor(lines.length / 2));
  if (oddity === 'no end') return lines.slice(0, Math.floor(lines.length / 2));
  if (oddity === 'gaps') return lines.filter((_, index) => index % 3 !== 1);
  if (oddity === 'of another thread') return lines.map(([before, at, wait]) => [before + 7000, at + 7000, 2 * wait]);
  if (oddity === 'none') return lines;
  return lines.flatMap(([before, at, wait], index): readonly WaitLine[] => {
    const line: WaitLine = [before, at, wait];
    if (index % 4 === 1) return [line, [before, at + 10, wait - 1]];
    if (index % 4 === 2) return [line, [before - 2000, at - 2000, wait + 500]];
    return index % 4 === 3 ? [line, [at + 600, at + 500, wait + 500]] : [line];
  });
}
