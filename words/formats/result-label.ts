import type { Summary } from '../../protocol/summary.ts';

/** What a result is called beside others: `npm test in packages/core`. */
export function resultLabel({ title, where }: Pick<Summary, 'title' | 'where'>): string {
  return where === '' ? title : `${title} in ${where}`;
}
