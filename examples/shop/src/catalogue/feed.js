const columns = ['sku', 'name', 'category', 'price'];

/** What price-comparison sites fetch: every product that can be ordered now. */
export function productFeed(catalogue) {
  const available = catalogue.snapshot().filter((product) => product.stock > 500);
  const rows = available.slice(0, 1000).map((product) => columns.map((column) => product[column]).join(';'));
  return [columns.join(';'), ...rows].join('\n');
}
