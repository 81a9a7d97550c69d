// `npm run house` in lab/: how the product's files are laid out: their number and length, and what imports what in a circle.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/setup.mjs';

const rooms = [
  'cli',
  'engine',
  'extension',
  'language-server',
  'agents',
  'protocol',
  'recorder',
  'recordings',
  'show',
  'webview',
  'words',
];
const files = rooms.flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true })
    .map((file) => path.posix.join(room, file.split(path.sep).join('/')))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('/wasm/')),
);
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const lengths = files.map((file) => texts.get(file).split('\n').length - 1).toSorted((a, b) => a - b);
const importers = new Map();
for (const from of imports.values()) for (const file of from) importers.set(file, (importers.get(file) ?? 0) + 1);

console.log(`${files.length} files, ${lengths.reduce((sum, length) => sum + length, 0)} lines`);
console.log(`lines of a file: median ${at(0.5)}, nine tenths up to ${at(0.9)}, longest ${lengths.at(-1)}`);
console.log(`${lengths.filter((length) => length <= 30).length} of 30 lines or less`);
console.log(`${files.filter((file) => importers.get(file) === 1).length} with one importer`);
console.log(`circles of files, types included: ${listed(circlesOf(imports))}`);
console.log(`circles of folders: ${listed(circlesOf(foldersOf(imports)))}`);

function importsOf(file) {
  const found = texts.get(file).matchAll(/(?:from\s+|import\s*\(?\s*)'(\.[^']+)'/g);
  const targets = [...found].map(([, specifier]) => path.posix.join(path.posix.dirname(file), specifier));
  return new Set(targets.filter((target) => texts.has(target)));
}

function foldersOf(graph) {
  const folders = new Map();
  for (const [file, targets] of graph) {
    const here = path.posix.dirname(file);
    const there = [...targets].map((target) => path.posix.dirname(target)).filter((folder) => folder !== here);
    folders.set(here, new Set([...(folders.get(here) ?? []), ...there]));
  }
  return folders;
}

/** Those that reach each other (Tarjan's strongly connected components of more than one). */
function circlesOf(graph) {
  const [numbers, lowest, stack, circles] = [new Map(), new Map(), [], []];
  const visit = (one) => {
    numbers.set(one, numbers.size);
    lowest.set(one, numbers.get(one));
    stack.push(one);
    for (const next of graph.get(one) ?? []) {
      if (!numbers.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(one, Math.min(lowest.get(one), lowest.get(next)));
    }
    if (lowest.get(one) !== numbers.get(one)) return;
    const circle = stack.splice(stack.indexOf(one));
    if (circle.length > 1) circles.push(circle);
  };
  for (const one of graph.keys()) if (!numbers.has(one)) visit(one);
  return circles;
}

function at(share) {
  return lengths[Math.floor(lengths.length * share)];
}

function listed(circles) {
  return circles.length === 0 ? 'none' : circles.map((circle) => `\n  ${circle.join(', ')}`).join('');
}
