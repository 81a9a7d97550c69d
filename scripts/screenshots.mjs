// `npm run screenshots`: pictures of every surface of the editor, in four themes at two widths, for a person to look at.
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
const args = [path.join(root, 'test/screenshots/main.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(toolsNode, args, { env: toolsEnvironment, stdio: 'inherit' });
process.exitCode = status ?? 1;
