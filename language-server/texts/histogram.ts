import { type DurationClass, durationClasses } from '../../protocol/duration-class.ts';

const names: Readonly<Record<DurationClass, string>> = {
  fast: '≤ 1 ms',
  medium: '≤ 10 ms',
  slow: '≤ 100 ms',
  verySlow: '≤ 1 s',
  monster: '> 1 s',
};

const widest = 24;

/** How many operations a function was in, by how long it was there: one bar a class, longest at the most 24 blocks wide. */
export function histogram(byClass: Readonly<Record<DurationClass, number>>): string {
  const most = Math.max(1, ...Object.values(byClass));
  return durationClasses
    .map((name) => {
      const count = byClass[name];
      const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((widest * count) / most)));
      return `${names[name].padEnd(9)} ${bar}${bar === '' ? '' : ' '}${count}`;
    })
    .join('\n');
}
