// `npm run suites -- FOLDER`: the tests of public projects as they are and recorded, compared. With `--keep`: what is kept of
// their recordings for tests.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureNodeVersions } from './node-versions.mjs';
import { build, ensureInstalled, personsEnvironment, root } from './setup.mjs';
import { toolsNode } from './tools.mjs';

ensureInstalled();
ensureNodeVersions();
build();
const given = process.argv.slice(2);
const main = given.includes('--keep') ? 'keep-suites.ts' : 'main.ts';
const args = [path.join(root, 'test/public-suites', main), ...given];
const { status } = spawnSync(toolsNode, args, { env: personsEnvironment(), stdio: 'inherit' });
process.exitCode = status ?? 1;
