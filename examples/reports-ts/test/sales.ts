import type { Sale } from '../src/sale.ts';

/** Made-up sales, evenly over a year. */
export function salesOf(year: number, count: number): Sale[] {
  const first = Date.UTC(year, 0);
  const step = (Date.UTC(year + 1, 0) - first) / count;
  return Array.from({ length: count }, (_, index) => ({
    customer: `customer ${(index * 7919) % 1009}`,
    soldAt: Math.floor(first + index * step),
    amount: 1000 + (index % 90) * 10,
  }));
}
