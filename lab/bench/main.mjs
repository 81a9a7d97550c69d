// `npm run bench`: every measurement in bench/, one after the other, on a fresh build. `npm run bench -- NAME … [OPTION …]`:
// these alone; the options, which start with a dash, and what follows are handed on to them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBrowser, ensureVscode } from '../../scripts/vscode-server.mjs';
import { build, ensureInstalled, root, toolsEnvironment, toolsNode, packageExtension } from '../../scripts/setup.mjs';

ensureInstalled();
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.basename(file, '.ts'));
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('-'));
const [named, options] = firstOption === -1 ? [given, []] : [given.slice(0, firstOption), given.slice(firstOption)];
const wanted = named.length > 0 ? named : names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measurement "${unknown.join('", "')}": choose among ${names.join(', ')}.`);
  process.exit(2);
}
if (['editor', 'waits', 'verify', 'busy', 'agents', 'neovim'].some((name) => wanted.includes(name)))
  ensureInstalled(path.join(root, 'examples/shop'));
if (wanted.includes('editor')) {
  await ensureBrowser();
  await ensureVscode();
  packageExtension();
} else build();
if (wanted.includes('page')) await ensureBrowser();

for (const name of wanted) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(toolsNode, [path.join(import.meta.dirname, `${name}.ts`), ...options], {
    env: toolsEnvironment,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
