import assert from 'node:assert/strict';
import { Accounts } from '../src/accounts/accounts.js';
import { isEmail } from '../src/accounts/email.js';
import { openShop } from './support/shop.js';

const fromTheOldShop = {
  email: 'vera@example.com',
  password: '$2b$11$JUo3qbsalYppDagxvrIZV.lf.dLZjo5tlvbuR7tzhpX87.hD.bcg.',
};

describe('accounts', () => {
  let shop;
  beforeEach(async () => {
    shop = await openShop({ products: [], accounts: new Accounts([fromTheOldShop]) });
  });
  afterEach(() => shop.close());

  it('lets a new customer sign in', async () => {
    const ada = { email: 'ada@example.com', password: 'correct horse' };
    assert.equal((await shop.post('/accounts', ada)).status, 201);
    const { status, body } = await shop.post('/sessions', ada);
    assert.equal(status, 201);
    assert.equal(body.email, 'ada@example.com');
  });

  it('refuses a wrong password', async () => {
    await shop.post('/accounts', { email: 'ada@example.com', password: 'correct horse' });
    const { status } = await shop.post('/sessions', { email: 'ada@example.com', password: 'battery staple' });
    assert.equal(status, 401);
  });

  it('refuses an unknown customer', async () => {
    const { status } = await shop.post('/sessions', { email: 'nobody@example.com', password: 'x' });
    assert.equal(status, 401);
  });

  it('takes an e-mail address once', async () => {
    await shop.post('/accounts', { email: 'ada@example.com', password: 'one' });
    const { status } = await shop.post('/accounts', { email: 'ada@example.com', password: 'two' });
    assert.equal(status, 409);
  });

  it('keeps the passwords of the old shop', async () => {
    assert.equal((await shop.post('/sessions', { email: 'vera@example.com', password: 'winter 2014' })).status, 201);
    assert.equal((await shop.post('/sessions', { email: 'vera@example.com', password: 'winter 2015' })).status, 401);
  });

  it('refuses what is no e-mail address', async () => {
    const { status } = await shop.post('/accounts', { email: 'averylongnamewithoutadomain', password: 'x' });
    assert.equal(status, 400);
  });
});

describe('isEmail', () => {
  for (const email of ['ada@example.com', 'a.b-c_d@mail.example.co.uk', 'x1@y.io']) {
    it(`accepts ${email}`, () => assert.ok(isEmail(email)));
  }
  for (const text of ['', 'ada', 'ada@', '@example.com', 'ada@example', 'ada @example.com']) {
    it(`refuses "${text}"`, () => assert.ok(!isEmail(text)));
  }
});
