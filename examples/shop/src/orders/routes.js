import { Router } from 'express';
import { parseOrders } from './csv.js';

export function orderRoutes(orderBook) {
  const router = new Router();

  router.post('/orders', (request, response) => {
    const added = orderBook.add(parseOrders(request.body));
    response.status(201).json({ added });
  });

  router.get('/orders/summary', (request, response) => {
    const { year } = request.query;
    response.json(orderBook.summary(Number(year)));
  });

  return router;
}
