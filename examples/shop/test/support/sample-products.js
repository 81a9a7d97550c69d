const categories = ['garden', 'kitchen', 'lighting', 'office', 'outdoor', 'storage', 'textiles', 'toys'];
const materials = ['oak', 'steel', 'linen', 'glass', 'ceramic', 'cork'];
const things = ['lamp', 'shelf', 'bowl', 'chair', 'basket', 'blanket', 'kettle', 'planter', 'clock'];

/** A made-up assortment, the same on every run. */
export function sampleProducts(count) {
  return Array.from({ length: count }, (_, index) => sampleProduct(index));
}

function sampleProduct(index) {
  const material = materials[index % materials.length];
  const thing = things[index % things.length];
  return {
    sku: `S-${String(index).padStart(6, '0')}`,
    name: `${material} ${thing} no. ${index}`,
    category: categories[index % categories.length],
    price: 5 + (index % 400) / 2,
    sold: (index * 7919) % 10_007,
    stock: (index * 31) % 600,
    attributes: { material, weight: 100 + (index % 900), colours: ['black', 'white', 'natural'] },
    description: `A ${thing} made of ${material}, finished by hand in small batches.`,
  };
}
