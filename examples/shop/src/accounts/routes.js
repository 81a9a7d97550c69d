import { Router } from 'express';

export function accountRoutes(accounts) {
  const router = new Router();

  router.post('/accounts', (request, response, next) => {
    accounts.register(request.body, (error, account) => {
      if (error) return next(error);
      response.status(201).json({ email: account.email });
    });
  });

  router.post('/sessions', (request, response, next) => {
    accounts.signIn(request.body, (error, account) => {
      if (error) return next(error);
      if (account === null) return response.status(401).json({ error: 'Wrong e-mail address or password' });
      response.status(201).json({ email: account.email });
    });
  });

  router.put('/accounts/:email/card', (request, response) => {
    response.json({ card: accounts.keepCard(request.params.email, request.body.number) });
  });

  return router;
}
