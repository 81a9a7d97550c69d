import { Router } from 'express';
import { countBrowsers } from './browsers.js';

export function visitRoutes() {
  const router = new Router();

  router.post('/visits', (request, response) => {
    response.json(countBrowsers(request.body.trimEnd().split('\n')));
  });

  return router;
}
