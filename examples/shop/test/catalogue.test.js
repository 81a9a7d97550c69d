import assert from 'node:assert/strict';
import { sampleProducts } from './support/sample-products.js';
import { openShop } from './support/shop.js';

describe('catalogue', () => {
  let shop;
  before(async () => {
    shop = await openShop({ products: sampleProducts(64_000) });
  });
  after(() => shop.close());

  it('lists the first page of all products', async () => {
    const { status, body } = await shop.get('/products');
    assert.equal(status, 200);
    assert.equal(body.total, 64_000);
    assert.equal(body.pages, 1280);
    assert.equal(body.items[0].sku, 'S-000000');
  });

  it('lists one category only', async () => {
    const { body } = await shop.get('/products?category=kitchen');
    assert.equal(body.total, 8000);
    assert.ok(body.items.every((product) => product.category === 'kitchen'));
  });

  it('ends with the last page', async () => {
    const { body } = await shop.get('/products?page=1280');
    assert.equal(body.items.at(-1).sku, 'S-063999');
    const beyond = await shop.get('/products?page=1281');
    assert.deepEqual(beyond.body.items, []);
  });

  it('gives prices in other currencies', async () => {
    const { body } = await shop.get('/products/S-000010/price?currency=USD');
    assert.deepEqual(body, { sku: 'S-000010', currency: 'USD', price: 10.8 });
  });

  it('does not change the price in the catalogue when it converts it', async () => {
    await shop.get('/products/S-000010/price?currency=JPY');
    const { body } = await shop.get('/products/S-000010/price');
    assert.equal(body.price, 10);
  });

  it('knows which products and currencies there are', async () => {
    assert.equal((await shop.get('/products/S-999999/price')).status, 404);
    assert.equal((await shop.get('/products/S-000010/price?currency=XYZ')).status, 400);
  });

  it('offers the products in stock to price-comparison sites', async () => {
    const { body } = await shop.get('/feed.csv');
    const [header, first, ...others] = body.split('\n');
    assert.equal(header, 'sku;name;category;price');
    assert.equal(first, 'S-000017;cork clock no. 17;kitchen;13.5');
    assert.equal(others.length, 999);
  });

  it('names the three bestsellers of each category', async () => {
    const { body } = await shop.get('/bestsellers');
    assert.equal(Object.keys(body).length, 8);
    for (const best of Object.values(body)) {
      assert.equal(best.length, 3);
      assert.ok(best[0].sold >= best[1].sold && best[1].sold >= best[2].sold);
    }
  });
});
