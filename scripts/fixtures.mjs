// `npm run fixtures [-- PROJECT | PROJECT/RUN …]`: records the runs that tests share (test/helpers/fixture-runs.ts) on the tools' Node.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build, ensureInstalled, root } from './setup.mjs';
import { toolsEnvironment, toolsNode } from './tools.mjs';

ensureInstalled();
for (const entry of readdirSync(path.join(root, 'examples'), { withFileTypes: true }))
  if (entry.isDirectory()) ensureInstalled(path.join(root, 'examples', entry.name));
build();
const main = path.join(root, 'test/helpers/make-fixtures.ts');
const { status } = spawnSync(toolsNode, [main, ...process.argv.slice(2)], { env: toolsEnvironment, stdio: 'inherit' });
process.exitCode = status ?? 1;
