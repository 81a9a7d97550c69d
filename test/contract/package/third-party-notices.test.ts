import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { bundles, inputsOf } from '../../../scripts/bundles.mjs';
import { noticesFile, noticesOf, packagesOf } from '../../../scripts/notices.mjs';
import { assertEach, assertNone } from '../../helpers/assert-each.ts';
import { projectRoot } from '../../helpers/project.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

test('the notices name each package that is bundled, with its version, its licence and the text of it', async () => {
  const text = readFileSync(path.join(projectRoot, noticesFile), 'utf8');
  const sections = text.split(`\n\n${'-'.repeat(80)}\n\n`).slice(1);
  const titles = sections.map((section) => section.split('\n', 1)[0] ?? '');

  const bundled = await bundledPackages();
  assert.ok(bundled.length > 80, `${bundled.length} packages`);
  assertNone(bundled, (title) => !titles.includes(title));
  // The runtime in our own WebAssembly, which no list of files knows.
  const others = titles.filter((title) => !bundled.includes(title));
  assertEach(others, (title) => title.split(' ')[0], ['assemblyscript']);
  for (const section of sections) {
    assert.match(section, /^\S+ \d+\.\d+\.\d+\S*\n\nLicence: \S/);
    assert.match(section, /copyright|permission|license/i);
    assert.ok(section.length > 400, section);
  }
});

test('a package without a licence, or without the text of it, fails the build', () => {
  const root = temporaryProject({});
  add(root, 'assemblyscript', { license: 'Apache-2.0' }, 'Apache License');
  add(root, '@team/good', { license: 'MIT' }, 'Permission is hereby granted');
  assert.match(
    noticesOf(packagesOf(['node_modules/@team/good/index.js', 'cli/main.ts'], root)),
    /@team\/good 1\.0\.0\n\nLicence: MIT\n\nPermission is hereby granted/,
  );

  add(root, 'textless', { license: 'MIT' }, null);
  add(root, 'empty', { license: 'MIT' }, '\n');
  add(root, 'nameless', {}, 'Permission is hereby granted');
  for (const name of ['textless', 'empty', 'nameless'])
    assert.throws(() => packagesOf([`node_modules/${name}/index.js`], root), new RegExp(`no text of it: ${name}\\.`));
});

/** `name version` of the packages that esbuild puts into any bundle, read in another way than the build does. */
async function bundledPackages(): Promise<readonly string[]> {
  const built = await Promise.all(
    bundles.map(async (options) => build({ ...options, write: false, metafile: true, logLevel: 'silent' })),
  );
  const metafiles = built.flatMap(({ metafile }) => (metafile === undefined ? [] : [metafile]));
  const titles = new Set<string>();
  for (const input of inputsOf(metafiles)) {
    const parts = input.split('/');
    const at = parts.lastIndexOf('node_modules');
    if (at === -1) continue;
    const end = parts[at + 1]?.startsWith('@') === true ? at + 3 : at + 2;
    const manifest = path.resolve(projectRoot, ...parts.slice(0, end), 'package.json');
    const version = /"version": *"([^"]+)"/.exec(readFileSync(manifest, 'utf8'))?.[1];
    titles.add(`${parts.slice(at + 1, end).join('/')} ${version}`);
  }
  return [...titles];
}

function add(root: string, name: string, fields: { readonly license?: string }, text: string | null): void {
  const folder = path.join(root, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...fields }));
  if (text !== null) writeFileSync(path.join(folder, 'LICENSE'), text);
}
