/** All products of the shop, by SKU. Callers get copies: prices and translations are filled in on them. */
export class Catalogue {
  #products;

  constructor(products) {
    this.#products = new Map(products.map((product) => [product.sku, product]));
  }

  get size() {
    return this.#products.size;
  }

  has(sku) {
    return this.#products.has(sku);
  }

  setStock(sku, amount) {
    this.#products.get(sku).stock = amount;
  }

  snapshot() {
    const products = [...this.#products.values()];
    return JSON.parse(JSON.stringify(products));
  }

  /** The products themselves, for those who only look. */
  values() {
    return this.#products.values();
  }
}
