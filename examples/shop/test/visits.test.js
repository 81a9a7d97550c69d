import assert from 'node:assert/strict';
import { detectBrowser } from '../src/visits/user-agent.js';
import { openShop } from './support/shop.js';

const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const userAgents = {
  Chrome: `${desktop} Chrome/126.0.0.0 Safari/537.36`,
  Edg: `${desktop} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68`,
  Firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  Safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
};

describe('visits', () => {
  for (const [name, userAgent] of Object.entries(userAgents)) {
    it(`recognises ${name}`, () => assert.equal(detectBrowser(userAgent).name, name));
  }

  it('knows the version', () => {
    assert.deepEqual(detectBrowser(userAgents.Firefox), { name: 'Firefox', major: 127 });
  });

  it('does not guess', () => {
    assert.deepEqual(detectBrowser('a program of my own'), { name: 'unknown', major: null });
  });

  it('counts the browsers of a day', async () => {
    const shop = await openShop({ products: [] });
    const day = Array.from({ length: 36_000 }, (_, index) =>
      index % 3 === 0 ? userAgents.Firefox : userAgents.Safari,
    );
    const { body } = await shop.post('/visits', day.join('\n'));
    await shop.close();
    assert.deepEqual(body, { Safari: 24_000, Firefox: 12_000 });
  });
});
