// `npm run NAME` in lab/: prepares what a program needs, and runs it on the tools' Node.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureBrowser, ensureVscode } from '../scripts/vscode-server.mjs';
import { ensureNodeVersions } from '../scripts/node-versions.mjs';
import {
  build,
  ensureInstalled,
  personsEnvironment,
  root,
  toolsEnvironment,
  toolsNode,
  packageExtension,
} from '../scripts/setup.mjs';

const vscode = [
  () => ensureInstalled(path.join(root, 'examples/shop')),
  ensureBrowser,
  ensureVscode,
  build,
  packageExtension,
];

/** By name: the program, what it needs beyond the packages, and whether commands run in the environment of the person. */
const programs = {
  'changed-files': { main: 'changed-files/main.ts', needs: [build], isPersons: true },
  compare: { main: 'reference/compare-program.ts', needs: [] },
  constructs: { main: 'constructs/main.ts', needs: [ensureNodeVersions, build] },
  differential: { main: 'reference/compare-public.ts', needs: [build] },
  everywhere: {
    main: 'everywhere/main.ts',
    needs: [() => ensureInstalled(path.join(root, 'examples/shop')), build],
    isPersons: true,
  },
  fuzz: { main: 'fuzz/main.ts', needs: [] },
  'keep-suites': { main: 'public-suites/keep-suites.ts', needs: [ensureNodeVersions, build], isPersons: true },
  'late-sampler': { main: 'late-sampler/main.ts', needs: [] },
  'loop-picture': { main: 'screenshots/loop-picture.ts', needs: vscode },
  packages: { main: 'packages/main.ts', needs: [build], isPersons: true },
  'recorder-matrix': {
    main: 'toolchains/main.ts',
    options: ['--recorder'],
    needs: [ensureNodeVersions, build],
    isPersons: true,
  },
  screenshots: { main: 'screenshots/main.ts', needs: vscode },
  suites: { main: 'public-suites/main.ts', needs: [ensureNodeVersions, build], isPersons: true },
  tiers: { main: 'tiers/main.ts', needs: [build] },
  toolchains: { main: 'toolchains/main.ts', needs: [build], isPersons: true },
};

const [name, ...words] = process.argv.slice(2);
const program = programs[name];
if (program === undefined) {
  console.error(`Unknown program "${name}": choose among ${Object.keys(programs).join(', ')}.`);
  process.exit(2);
}
const { main, options = [], needs, isPersons = false } = program;
ensureInstalled();
for (const need of needs) await need();
const { status } = spawnSync(toolsNode, [path.join(import.meta.dirname, main), ...options, ...words], {
  env: isPersons ? personsEnvironment() : toolsEnvironment,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
