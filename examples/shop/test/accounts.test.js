import assert from 'node:assert/strict';
import { openCard, sealCard } from '../src/accounts/card.js';
import { isEmail } from '../src/accounts/email.js';
import { openShop } from './support/shop.js';

const ada = { email: 'ada@example.com', password: 'correct horse' };

describe('accounts', () => {
  let shop;
  beforeEach(async () => {
    shop = await openShop({ products: [] });
  });
  afterEach(() => shop.close());

  it('lets a new customer sign in', async () => {
    assert.equal((await shop.post('/accounts', ada)).status, 201);
    const { status, body } = await shop.post('/sessions', ada);
    assert.equal(status, 201);
    assert.equal(body.email, 'ada@example.com');
  });

  it('refuses a wrong password', async () => {
    await shop.post('/accounts', ada);
    const { status } = await shop.post('/sessions', { ...ada, password: 'battery staple' });
    assert.equal(status, 401);
  });

  it('refuses an unknown customer', async () => {
    const { status } = await shop.post('/sessions', ada);
    assert.equal(status, 401);
  });

  it('takes an e-mail address once', async () => {
    await shop.post('/accounts', ada);
    const { status } = await shop.post('/accounts', { ...ada, password: 'another' });
    assert.equal(status, 409);
  });

  it('refuses what is no e-mail address', async () => {
    const { status } = await shop.post('/accounts', { email: 'averylongnamewithoutadomain', password: 'x' });
    assert.equal(status, 400);
  });

  it('shows the last digits of a credit card only', async () => {
    await shop.post('/accounts', ada);
    const { body } = await shop.put('/accounts/ada@example.com/card', { number: '4111111111111111' });
    assert.equal(body.card, '•••• 1111');
  });
});

describe('a sealed card', () => {
  it('can be opened', () => {
    assert.equal(openCard(sealCard('4111111111111111')), '4111111111111111');
  });

  it('is sealed in another way each time', () => {
    assert.notDeepEqual(sealCard('4111111111111111').sealed, sealCard('4111111111111111').sealed);
  });

  it('does not open when it was changed', () => {
    const card = sealCard('4111111111111111');
    card.sealed[0] ^= 1;
    assert.throws(() => openCard(card));
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
