/** Takes the nightly list of the warehouse, a line `sku amount` each; unknown products are left out. */
export function applyStockList(catalogue, list, logger) {
  let updated = 0;
  for (const line of list.trimEnd().split('\n')) {
    const [sku, amount] = line.split(' ');
    if (!catalogue.has(sku)) {
      logger.warn('unknown product', { sku });
      continue;
    }
    catalogue.setStock(sku, Number(amount));
    logger.info('stock updated', { sku, amount: Number(amount) });
    updated++;
  }
  return { updated };
}
