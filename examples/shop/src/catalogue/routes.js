import { Router } from 'express';
import { bestsellers } from './bestsellers.js';
import { listProducts, priceOf } from './listing.js';
import { productFeed } from './feed.js';

export function catalogueRoutes(catalogue) {
  const router = new Router();

  router.get('/products', (request, response) => {
    const { category, page = '1' } = request.query;
    response.json(listProducts(catalogue, { category, page: Number(page) }));
  });

  router.get('/products/:sku/price', (request, response) => {
    const { currency = 'EUR' } = request.query;
    response.json(priceOf(catalogue, request.params.sku, currency));
  });

  router.get('/feed.csv', (request, response) => {
    response.type('text/csv').send(productFeed(catalogue));
  });

  router.get('/bestsellers', (request, response) => {
    response.json(bestsellers(catalogue));
  });

  return router;
}
