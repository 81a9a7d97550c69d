import { convert } from './currency.js';

const pageSize = 50;

export function listProducts(catalogue, { category, page }) {
  const products = catalogue.snapshot();
  const matching = category === undefined ? products : products.filter((product) => product.category === category);
  const first = (page - 1) * pageSize;
  return {
    total: matching.length,
    pages: Math.ceil(matching.length / pageSize),
    items: matching.slice(first, first + pageSize),
  };
}

export function priceOf(catalogue, sku, currency) {
  const product = catalogue.snapshot().find((candidate) => candidate.sku === sku);
  if (product === undefined) throw Object.assign(new Error(`There is no product ${sku}`), { status: 404 });
  product.price = convert(product.price, currency);
  return { sku, currency, price: product.price };
}
