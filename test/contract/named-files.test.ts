import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { assertNone } from '../helpers/assert-each.ts';
import { projectFile, projectFiles } from '../helpers/project.ts';

const files = new Set(projectFiles());
const folders = new Set([...files].flatMap(foldersOf));
const fileNames = new Set([...files].map((file) => path.posix.basename(file)));

const documents = [...files].filter((file) => /^((lab\/)?docs\/[^/]+|CONTRIBUTING|README|lab\/README)\.md$/.test(file));

for (const document of documents)
  test(`every file of ours that ${document} names is there`, () => {
    const text = readFileSync(projectFile(document), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
    const named = [...text.matchAll(/`([\w.@-]*[\w./@-]*)`/g)].map(([, name = '']) => name);
    assertNone(named, (name) => isOurs(name, document) && !isThere(name));
  });

/** Whether a name is that of a file or a folder here. docs/lines.md alone names files of other projects. */
function isOurs(name: string, document: string): boolean {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return /^\w.*\.(ts|mjs)$/.test(name) && document !== 'docs/lines.md';
  if (first === '.github') return false; // Of the person's own repository.
  return first === '..' ? name.endsWith('.ts') : folders.has(first) || folders.has(`test/engine/${first}`);
}

/** The table of lab/docs/robustness.md gives paths from `test/engine/`. */
function isThere(name: string): boolean {
  if (!name.includes('/')) return fileNames.has(name);
  const places = [name, path.posix.join('test/engine', name)].map((place) => place.replace(/\/$/, ''));
  return places.some((place) => files.has(place) || folders.has(place));
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
