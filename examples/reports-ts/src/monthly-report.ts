import type { Cents, Sale } from './sale.ts';

export interface MonthlyReport {
  readonly locale: string;
  readonly rows: readonly MonthlyRow[];
  readonly total: Cents;
}

export interface MonthlyRow {
  /** As people of the locale write it: `March 2024`, `mars 2024`. */
  readonly month: string;
  readonly sales: number;
  readonly amount: Cents;
}

export function monthlyReport(sales: readonly Sale[], locale: string): MonthlyReport {
  const rows = sumByMonth(sales, locale);
  return { locale, rows, total: rows.reduce((sum, row) => sum + row.amount, 0) };
}

function sumByMonth(sales: readonly Sale[], locale: string): MonthlyRow[] {
  const rows = new Map<string, MonthlyRow>();
  for (const sale of sales) {
    const month = monthName(sale.soldAt, locale);
    const row = rows.get(month) ?? { month, sales: 0, amount: 0 };
    rows.set(month, { month, sales: row.sales + 1, amount: row.amount + sale.amount });
  }
  return [...rows.values()];
}

function monthName(time: number, locale: string): string {
  const options: Intl.DateTimeFormatOptions = {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  };
  return new Intl.DateTimeFormat(locale, options).format(time);
}
