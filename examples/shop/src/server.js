import { readFileSync } from 'node:fs';
import { createApp } from './app.js';

const port = Number(process.env.PORT ?? 3000);
const products = JSON.parse(readFileSync(new URL('../data/products.json', import.meta.url), 'utf8'));

createApp({ products }).listen(port, () => {
  console.log(`The shop is open on http://localhost:${port}`);
});
