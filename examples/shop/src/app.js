import express from 'express';
import { accountRoutes } from './accounts/routes.js';
import { Accounts } from './accounts/accounts.js';
import { Catalogue } from './catalogue/catalogue.js';
import { catalogueRoutes } from './catalogue/routes.js';
import { createLogger } from './logger.js';
import { OrderBook } from './orders/order-book.js';
import { orderRoutes } from './orders/routes.js';
import { stockRoutes } from './stock/routes.js';
import { visitRoutes } from './visits/routes.js';

export function createApp({ products, accounts = new Accounts(), logger = createLogger(process.stderr) }) {
  const catalogue = new Catalogue(products);
  const app = express();

  app.use(express.json());
  app.use(express.text({ type: ['text/plain', 'text/csv'], limit: '10mb' }));
  app.use(catalogueRoutes(catalogue));
  app.use(accountRoutes(accounts));
  app.use(orderRoutes(new OrderBook()));
  app.use(stockRoutes(catalogue, logger));
  app.use(visitRoutes());
  app.use((error, request, response, next) => {
    if (response.headersSent) return next(error);
    response.status(error.status ?? 500).json({ error: error.message });
  });
  return app;
}
