import { chmodSync, cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../test/helpers/project.ts';

export const cli = projectFile('dist/cli.cjs');

/** Copies the shop into a folder, as it is after `npm install hotspan`: npx finds the built command. Gives its path. */
export function installedShop(folder: string): string {
  const shop = path.join(folder, 'shop');
  cpSync(projectFile('examples/shop'), shop, { recursive: true, verbatimSymlinks: true });
  chmodSync(cli, 0o755);
  symlinkSync(cli, path.join(shop, 'node_modules/.bin/hotspan'));
  return shop;
}

/** The configuration of an editor that people copy from docs/everywhere.md. */
export function documentedConfig(language: 'lua' | 'elisp'): string {
  const blocks = readFileSync(projectFile('docs/everywhere.md'), 'utf8').split('```');
  const block = blocks.find((text) => text.startsWith(`${language}\n`));
  if (block === undefined) throw new Error(`docs/everywhere.md has no configuration in ${language}.`);
  return block.slice(language.length);
}
