const perCategory = 3;

export function bestsellers(catalogue) {
  const products = [...catalogue.values()];
  const categories = new Set(products.map((product) => product.category));
  return Object.fromEntries(rankByCategory(products, categories));
}

function rankByCategory(products, categories) {
  const ranking = [];
  for (const category of categories) {
    const ranked = [...products].sort((a, b) => b.sold - a.sold || a.sku.localeCompare(b.sku));
    const best = ranked.filter((product) => product.category === category).slice(0, perCategory);
    ranking.push([category, best.map(({ sku, name, sold }) => ({ sku, name, sold }))]);
  }
  return ranking;
}
