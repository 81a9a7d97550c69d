// `npm run screenshots`: pictures of every surface of the editor, in four themes at two widths, for a person to look at;
// with `--loop` the animated picture of the README in their place.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { build, ensureInstalled, root } from './setup.mjs';
import { toolsEnvironment, toolsNode } from './tools.mjs';
import { ensureVscode } from './vscode-install.mjs';
import { packageExtension } from './vsix.mjs';

ensureInstalled();
ensureInstalled(path.join(root, 'examples/shop'));
ensureBrowser();
ensureVscode();
build();
packageExtension();
const words = process.argv.slice(2);
const isLoop = words.includes('--loop');
const args = isLoop
  ? [path.join(root, 'test/screenshots/loop-picture.ts')]
  : [path.join(root, 'test/screenshots/main.ts'), ...words];
const { status } = spawnSync(toolsNode, args, { env: toolsEnvironment, stdio: 'inherit' });
process.exitCode = status ?? 1;
