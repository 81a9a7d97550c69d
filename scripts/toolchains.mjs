// `npm run toolchains`: own code in small projects of real tools, as it is and recorded, compared.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build, ensureInstalled, personsEnvironment, root } from './setup.mjs';
import { toolsNode } from './tools.mjs';

ensureInstalled();
build();
const args = [path.join(root, 'test/toolchains/main.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(toolsNode, args, { env: personsEnvironment(), stdio: 'inherit' });
process.exitCode = status ?? 1;
