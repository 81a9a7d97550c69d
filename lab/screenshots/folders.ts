import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFile } from '../../test/helpers/project.ts';

/** The shop, in a repository of its own with one commit. */
export function shopFolder(): string {
  return committed(shopCopy());
}

/** The same with the tests of one file, for what runs them many times. */
export function shortShopFolder(): string {
  const folder = shopCopy();
  const manifest = path.join(folder, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('test/**/*.test.js', 'test/catalogue.test.js'));
  return committed(folder);
}

function shopCopy(): string {
  const folder = newFolder('shop');
  cpSync(projectFile('examples/shop'), folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

/** Puts a folder into a repository of its own. */
function committed(folder: string): string {
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n');
  const identity = ['-c', 'user.name=Shop', '-c', 'user.email=shop@localhost'];
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  execFileSync('git', ['add', '--all'], { cwd: folder });
  execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'The shop'], { cwd: folder });
  return folder;
}

export function healthyFolder(): string {
  const folder = newFolder('healthy');
  cpSync(projectFile('examples/healthy'), folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

/** A server that copies all its products for each request, with a file of requests, in a repository of its own. */
export function productsFolder(): string {
  const folder = newFolder('products');
  writeFiles(folder, {
    'package.json': '{ "name": "products", "type": "module", "scripts": { "start": "node server.js" } }\n',
    'server.js': `import { createServer } from 'node:http';

const products = Array.from({ length: 20_000 }, (_, id) => ({ id, name: \`Product \${id}\`, price: id % 97 }));

/** Callers may change what they get. */
function snapshot() {
  return JSON.parse(JSON.stringify(products));
}

createServer((request, response) => {
  const [page] = /\\d+/.exec(request.url) ?? ['0'];
  response.end(JSON.stringify(snapshot().slice(Number(page) * 20, Number(page) * 20 + 20)));
}).listen(3000, () => console.log('http://localhost:3000'));
`,
    'products.http': 'GET http://localhost:3000/products\n\n###\nGET http://localhost:3000/products?page=2\n',
  });
  return committed(folder);
}

export const appPort = 34_567;

/** A server, one of whose routes blocks. */
export function appFolder(): string {
  const folder = newFolder('app');
  writeFiles(folder, {
    'package.json': '{ "name": "app", "type": "module", "scripts": { "start": "node app.js" } }',
    'app.js': `import { pbkdf2Sync } from 'node:crypto';
import { createServer } from 'node:http';

function signIn(response) {
  pbkdf2Sync('secret', 'salt', 300_000, 32, 'sha512');
  response.end('Hello.');
}

createServer((request, response) => {
  if (request.url === '/sign-in') signIn(response);
  else response.end('Hello.');
}).listen(${appPort}, '127.0.0.1');
`,
  });
  return folder;
}

export function restrictedFolder(): string {
  const folder = newFolder('from-elsewhere');
  writeFiles(folder, {
    'package.json': '{ "scripts": { "test": "node --test" } }',
    'sum.js': 'export const sum = 1 + 1;\n',
  });
  return folder;
}

function newFolder(name: string): string {
  return path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'hotspan-pictures-'))), name);
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
}
