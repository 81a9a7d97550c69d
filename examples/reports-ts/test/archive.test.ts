import { describe, expect, it } from 'vitest';
import { archiveOf, readArchive } from '../src/archive.ts';
import { salesOf } from './sales.ts';

describe('the archive of a year', () => {
  const sales = [...salesOf(2022, 30_000), ...salesOf(2023, 40_000)];

  it('is named after the year', () => {
    expect(archiveOf(sales, 2022).fileName).toBe('sales-2022.csv.gz');
  });

  it('holds the sales of that year alone', () => {
    expect(readArchive(archiveOf(sales, 2023))).toHaveLength(40_001);
  });

  it('is small enough for an e-mail', () => {
    expect(archiveOf(sales, 2023).content.length).toBeLessThan(1_000_000);
  });
});
