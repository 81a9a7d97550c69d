// `npm run package`: builds and writes hotspan-<version>.vsix at the repository's root.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, ensureInstalled, root } from './setup.mjs';
import { runTool } from './tools.mjs';

ensureInstalled();
build();
const { version, repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const file = `hotspan-${version}.vsix`;
// Everything is bundled, so there are no dependencies to pack; there is no public repository yet to link to.
const options = ['--no-dependencies', ...(repository === undefined ? ['--allow-missing-repository'] : [])];
process.exitCode = runTool('vsce', ['package', ...options, '--out', file], { stdio: ['ignore', 'inherit', 'inherit'] });
