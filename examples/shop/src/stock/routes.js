import { Router } from 'express';
import { applyStockList } from './stock-list.js';

export function stockRoutes(catalogue, logger) {
  const router = new Router();

  router.put('/stock', (request, response) => {
    response.json(applyStockList(catalogue, request.body, logger));
  });

  return router;
}
