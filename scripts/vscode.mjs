// `npm run vscode [-- DIR]`: a real VS Code in the browser with the extension in it, on the example or on DIR.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build, ensureInstalled, root, packageExtension, vsixFile } from './setup.mjs';
import { ensureVscode, startVscode } from './vscode-server.mjs';

const example = path.join(root, 'examples/shop');
const given = process.argv[2];
// npm has changed into the repository; INIT_CWD is the user's folder.
const folder = given === undefined ? example : path.resolve(process.env.INIT_CWD ?? process.cwd(), given);
if (!existsSync(folder)) {
  console.error(`There is no folder ${folder}. Name one that is there, or none for the example.`);
  process.exit(2);
}
ensureInstalled();
build();
if (folder === example) ensureInstalled(example);
await ensureVscode();
packageExtension();

const vscode = await startVscode({ extensions: [vsixFile], trust: given !== undefined });
console.log(`\n${vscode.url}/?folder=${encodeURIComponent(folder)}\n`);
console.log('Open this page and run "Hotspan: Profile Tests". Ctrl+C stops VS Code.');
await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
await vscode.stop();
process.exit(0);
