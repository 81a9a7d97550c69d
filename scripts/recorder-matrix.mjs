// `npm run test:recorder`: the recorder in each runner, tool and way to start a process, on each Node version.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureNodeVersions } from './node-versions.mjs';
import { build, ensureInstalled, personsEnvironment, root } from './setup.mjs';
import { toolsNode } from './tools.mjs';

ensureInstalled();
ensureNodeVersions();
build();
const args = [path.join(root, 'test/recorder-matrix/main.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(toolsNode, args, { env: personsEnvironment(), stdio: 'inherit' });
process.exitCode = status ?? 1;
