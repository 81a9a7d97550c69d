import { gunzipSync, gzipSync } from 'node:zlib';
import type { Sale } from './sale.ts';

export interface Archive {
  readonly fileName: string;
  readonly content: Buffer;
}

/** What the accountants download at the end of a year. */
export function archiveOf(sales: readonly Sale[], year: number): Archive {
  const sold = sales.filter((sale) => new Date(sale.soldAt).getUTCFullYear() === year);
  return { fileName: `sales-${year}.csv.gz`, content: compressed(toCsv(sold)) };
}

export function readArchive(archive: Archive): string[] {
  return gunzipSync(archive.content).toString('utf8').split('\n');
}

function toCsv(sales: readonly Sale[]): string {
  const rows = sales.map(({ customer, soldAt, amount }) => `${customer};${soldAt};${amount}`);
  return ['customer;sold at;amount', ...rows].join('\n');
}

function compressed(text: string): Buffer {
  return gzipSync(text, { level: 9 });
}
