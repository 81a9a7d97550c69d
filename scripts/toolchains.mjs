// `npm run toolchains`: own code in small projects of real tools, as it is and recorded, compared. `npm run test:recorder`
// (`--recorder`): runners and ways to start a process, on each Node version.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureNodeVersions } from './node-versions.mjs';
import { build, ensureInstalled, personsEnvironment, root } from './setup.mjs';
import { toolsNode } from './tools.mjs';

ensureInstalled();
if (process.argv.includes('--recorder')) ensureNodeVersions();
build();
const args = [path.join(root, 'test/toolchains/main.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(toolsNode, args, { env: personsEnvironment(), stdio: 'inherit' });
process.exitCode = status ?? 1;
