// The packaged extension, hotspan-<version>.vsix at the repository's root.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';
import { runTool } from './tools.mjs';

const { version, repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

export const vsixFile = path.join(root, `hotspan-${version}.vsix`);

/** Packs what `.vscodeignore` lets through; dist/ must be built. */
export function packageExtension() {
  // Everything is bundled, so no dependencies are packed. Without a public repository there is nothing to link to.
  const unpublished = ['--allow-missing-repository', '--no-rewrite-relative-links'];
  const options = ['--no-dependencies', ...(repository === undefined ? unpublished : []), '--out', vsixFile];
  if (runTool('vsce', ['package', ...options], { stdio: ['ignore', 2, 2] }) !== 0)
    throw new Error('vsce could not package the extension, see above.');
}
