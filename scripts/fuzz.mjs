// `npm run fuzz -- [--seed N] [--cases N] [--case N]`: made-up and damaged recordings, on the tools' Node.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, root } from './setup.mjs';
import { toolsEnvironment, toolsNode } from './tools.mjs';

ensureInstalled();
const main = path.join(root, 'test/fuzz/main.ts');
const { status } = spawnSync(toolsNode, [main, ...process.argv.slice(2)], { env: toolsEnvironment, stdio: 'inherit' });
process.exitCode = status ?? 1;
