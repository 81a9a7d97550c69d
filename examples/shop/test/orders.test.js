import assert from 'node:assert/strict';
import { openShop } from './support/shop.js';

describe('orders', () => {
  let shop;
  beforeEach(async () => {
    shop = await openShop({ products: [] });
  });
  afterEach(() => shop.close());

  it('has no turnover before the first order', async () => {
    const { body } = await shop.get('/orders/summary?year=2024');
    assert.equal(body.total, 0);
  });

  it('adds up the turnover of each month', async () => {
    await shop.post(
      '/orders',
      'number;date;total\n1;Tue, 05 Mar 2024 10:22:01 GMT;20\n2;Fri, 29 Mar 2024 23:59:59 GMT;5',
    );
    const { body } = await shop.get('/orders/summary?year=2024');
    assert.equal(body.months[2], 25);
    assert.equal(body.total, 25);
  });

  it('keeps the years apart', async () => {
    const { body: added } = await shop.post('/orders', hourlyOrders(2022, 100_000));
    assert.equal(added.added, 100_000);
    const totals = [];
    for (const year of [2022, 2024, 2033, 2034])
      totals.push((await shop.get(`/orders/summary?year=${year}`)).body.total);
    assert.deepEqual(totals, [8760, 8784, 3568, 0]);
  });
});

/** An order of 1 € each hour. */
function hourlyOrders(year, count) {
  const first = Date.UTC(year, 0);
  const rows = Array.from(
    { length: count },
    (_, hour) => `${hour};${new Date(first + hour * 3_600_000).toUTCString()};1`,
  );
  return ['number;date;total', ...rows].join('\n');
}
