// ThirdPartyNotices.txt, for both packages: the packages in the bundles, and their licences.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const noticesFile = 'ThirdPartyNotices.txt';

/** Not in the file list of any bundle: its runtime is in the compiled WebAssembly. */
const compiledIn = ['assemblyscript'];

/** Packages without a licence text, each with the package that has it. */
const textsElsewhere = new Map([['@assemblyscript/loader', 'assemblyscript']]);

/**
 * The packages of these files, each installed version once. `inputs`: paths from the root, with `/`. Throws if one has no
 * licence, or no text of it.
 */
export function packagesOf(inputs, root) {
  const modules = path.join(root, 'node_modules');
  const folders = new Set(compiledIn.map((name) => path.join(modules, name)));
  for (const input of inputs) {
    const inside = /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input);
    if (inside !== null) folders.add(path.resolve(root, inside[0]));
  }
  const packages = [...folders].map((folder) => describe(folder, modules));
  const wanting = packages.filter(({ licence, texts }) => licence === '' || texts.length === 0);
  if (wanting.length > 0)
    throw new Error(
      `No licence, or no text of it: ${wanting.map(({ name }) => name).join(', ')}. Say in scripts/notices.mjs where it is.`,
    );
  const unique = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

export function noticesOf(packages) {
  const parts = packages.map(({ name, version, licence, texts }) =>
    [`${name} ${version}`, `Licence: ${licence}`, ...texts].join('\n\n'),
  );
  return [`Hotspan contains code of these ${packages.length} packages.`, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function describe(folder, modules) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const own = textsIn(folder);
  const elsewhere = own.length === 0 ? textsElsewhere.get(name) : undefined;
  const texts = elsewhere === undefined ? own : textsIn(path.join(modules, elsewhere));
  return { name, version, licence: typeof license === 'string' ? license : '', texts };
}

/** The texts of its licences and notices. */
function textsIn(folder) {
  const names = readdirSync(folder).filter((name) =>
    /^(licen[cs]e|copying|notice|third-?party-?notices)([.-].*)?$/i.test(name),
  );
  const hasLicence = names.some((name) => /^(licen[cs]e|copying)/i.test(name));
  const texts = names.toSorted().map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return hasLicence ? texts.map((text) => text.replaceAll('\r\n', '\n').trim()).filter((text) => text !== '') : [];
}
