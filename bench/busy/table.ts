/** A table in columns: words to the left, numbers to the right. The first row is the head. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(cells.join('  '));
  }
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function share(part: number, whole: number): string {
  return `${part} of ${whole}`;
}
