// `npm start [-- DIR]`: profiles the tests of examples/shop, or of the package in DIR, and prints the lines that block.
// Works right after `git clone`: installs and builds what is missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { build, ensureInstalled, personsEnvironment, root, toolsNode } from './setup.mjs';

const [given] = process.argv.slice(2);
const example = path.join(root, 'examples/shop');
// npm has changed into the repository; INIT_CWD is the user's folder.
const folder = given === undefined ? example : path.resolve(process.env.INIT_CWD ?? process.cwd(), given);

if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
  console.error(`There is no folder ${folder}: give the folder of your package, npm start -- DIR.`);
  process.exit(2);
}
ensureInstalled();
build();
if (folder === example) ensureInstalled(example);

// Ctrl+C ends the tests, and what was recorded until then is shown.
process.on('SIGINT', () => {});
const script = path.join(root, 'scripts/profile-tests.mjs');
const child = spawn(toolsNode, [script, folder], { cwd: folder, env: personsEnvironment(), stdio: 'inherit' });
const [code] = await once(child, 'exit');
if (folder === example) {
  console.log(
    'Next: npm start -- DIR does this for your own package, npm run vscode shows it in VS Code, on the lines.',
  );
}
process.exitCode = code ?? 1;
