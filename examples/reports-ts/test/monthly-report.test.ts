import { describe, expect, it } from 'vitest';
import { monthlyReport } from '../src/monthly-report.ts';
import { salesOf } from './sales.ts';

describe('the monthly report', () => {
  const sales = salesOf(2023, 1460);

  it('has a row for each month, in order', () => {
    const { rows } = monthlyReport(sales, 'en-GB');
    expect(rows.map((row) => row.month).slice(0, 3)).toEqual(['January 2023', 'February 2023', 'March 2023']);
    expect(rows).toHaveLength(12);
  });

  it('adds up to the turnover of the year', () => {
    const { rows, total } = monthlyReport(sales, 'en-GB');
    expect(rows.reduce((sum, row) => sum + row.sales, 0)).toBe(1460);
    expect(total).toBe(sales.reduce((sum, sale) => sum + sale.amount, 0));
  });

  it.each([
    ['de', 'Januar 2023'],
    ['fr', 'janvier 2023'],
    ['sv', 'januari 2023'],
  ])('speaks %s', (locale, month) => {
    expect(monthlyReport(sales, locale).rows[0]?.month).toBe(month);
  });

  it('is empty where nothing was sold', () => {
    expect(monthlyReport([], 'en-GB')).toEqual({ locale: 'en-GB', rows: [], total: 0 });
  });
});
