import assert from 'node:assert/strict';
import { sampleProducts } from './support/sample-products.js';
import { keepingLogger, openShop } from './support/shop.js';

describe('stock', () => {
  let shop, log;
  beforeEach(async () => {
    log = keepingLogger();
    shop = await openShop({ products: sampleProducts(3_000), logger: log.logger });
  });
  afterEach(() => shop.close());

  it('takes the nightly list of the warehouse', async () => {
    const { body } = await shop.put(
      '/stock',
      sampleProducts(3_000)
        .map(({ sku }) => `${sku} 12`)
        .join('\n'),
    );
    assert.equal(body.updated, 3_000);
    const { body: page } = await shop.get('/products');
    assert.ok(page.items.every((product) => product.stock === 12));
  });

  it('leaves unknown products out, and says so', async () => {
    const { body } = await shop.put('/stock', 'S-000001 5\nS-999999 7\n');
    assert.equal(body.updated, 1);
    const warning = log.entries.find((entry) => entry.level === 'warn');
    assert.equal(warning.message, 'unknown product');
    assert.equal(warning.sku, 'S-999999');
  });

  it('logs where each change came from', async () => {
    await shop.put('/stock', 'S-000001 5');
    assert.match(log.entries[0].at, /applyStockList .*stock-list\.js/);
  });
});
