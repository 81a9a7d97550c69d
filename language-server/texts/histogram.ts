import { type DurationClass, durationClasses } from '../../protocol/duration-class.ts';

const names: Readonly<Record<DurationClass, string>> = {
  fast: '≤ 1 ms',
  medium: '≤ 10 ms',
  slow: '≤ 100 ms',
  verySlow: '≤ 1 s',
  monster: '> 1 s',
};

const widest = 24;

/**
 * The number of operations by how long a function was in them: one bar for each class, the longest at most 24 blocks
 * wide.
 */
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
