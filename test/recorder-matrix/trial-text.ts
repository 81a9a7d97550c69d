import type { Trial } from './try-setup.ts';

export const tableHead = '| set-up | Node | functions | exit | output | s | note |\n|---|---|---|---|---|---|---|';

/** A row of the table in the terminal. */
export function rowOf({ name, version, found, expected, exits, seconds, wrong, notes, ...outputs }: Trial): string {
  const [bare = '', recorded = ''] = exits ?? [];
  const cells = [
    name,
    version,
    `${found} of ${expected}`,
    exits === null ? 'not run' : bare === recorded ? bare : `${bare} → ${recorded}`,
    exits === null ? '' : outputOf(outputs),
    seconds.toFixed(1),
    [...(wrong.length > 0 ? ['WRONG: see below'] : []), ...notes].join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What is wrong with a row, at length. */
export function troublesOf({ wrong, differences, warnings, recording }: Trial): string {
  return [
    ...wrong,
    ...differences.slice(0, 12).map((line) => line.slice(0, 200)),
    ...warnings.map((warning) => `The recording says: ${warning}`),
    ...(recording === null ? [] : [`It is kept in ${recording}`]),
  ].join('\n');
}

function outputOf({ differences, isReordered }: Pick<Trial, 'differences' | 'isReordered'>): string {
  if (differences.length > 0) return `${differences.length} lines differ`;
  return isReordered ? 'same lines' : 'same';
}
