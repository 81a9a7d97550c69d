// `npm run fixtures [-- PROJECT | PROJECT/RUN …]`: records the runs that tests share (test/helpers/fixture-runs.ts) on the tools' Node.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build, ensureExamples, ensureInstalled, root, toolsEnvironment, toolsNode } from './setup.mjs';

ensureInstalled();
ensureExamples();
build();
const main = path.join(root, 'test/helpers/make-fixtures.ts');
const { status } = spawnSync(toolsNode, [main, ...process.argv.slice(2)], { env: toolsEnvironment, stdio: 'inherit' });
process.exitCode = status ?? 1;
