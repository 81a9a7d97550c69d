// `npm run constructs`: whether the slow line of each construct of JavaScript and TypeScript is marked, on each Node version.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureNodeVersions } from './node-versions.mjs';
import { build, ensureInstalled, root } from './setup.mjs';
import { toolsEnvironment, toolsNode } from './tools.mjs';

ensureInstalled();
ensureNodeVersions();
build();
const args = [path.join(root, 'test/constructs/main.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(toolsNode, args, { env: toolsEnvironment, stdio: 'inherit' });
process.exitCode = status ?? 1;
