import { Router } from 'express';

export function accountRoutes(accounts) {
  const router = new Router();

  router.post('/accounts', (request, response) => {
    const account = accounts.register(request.body);
    response.status(201).json({ email: account.email });
  });

  router.post('/sessions', (request, response, next) => {
    const { email, password } = request.body;
    accounts.signIn(email, password, (error, account) => {
      if (error) return next(error);
      if (account === null) return response.status(401).json({ error: 'Wrong e-mail address or password' });
      response.status(201).json({ email: account.email });
    });
  });

  return router;
}
