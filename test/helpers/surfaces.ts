import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';
import * as t from '@babel/types';
import { projectFile, projectFiles } from './project.ts';
import { textOf } from './sentences.ts';

/** A row of a table of lab/docs/surfaces.md. */
export interface SurfaceRow {
  /** Heading of its section. */
  readonly surface: string;
  readonly state: string;
  /** One or more; what is put in is `…`. */
  readonly texts: readonly string[];
  readonly shownBy: EndToEndTest | NoTest | null;
}

/** A test by its file's name without a folder, and its own name. */
interface EndToEndTest {
  readonly file: string;
  readonly name: string;
}

interface NoTest {
  readonly reason: string;
}

/** The rows of all tables of a document in Markdown. The first two lines of a table are its head. */
export function surfaceRows(markdown: string): readonly SurfaceRow[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [surface = '', ...lines] = section.split('\n');
      const table = lines.filter((line) => line.startsWith('|')).slice(2);
      return table.map((line) => rowOf(surface, line));
    });
}

function rowOf(surface: string, line: string): SurfaceRow {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
  const [, state = '', texts = '', shownBy = ''] = cells;
  return { surface, state, texts: codeSpans(texts), shownBy: shownByOf(shownBy) };
}

/** As CommonMark has it: a text with backticks stands between more of them, and one space inside of each end is none. */
function codeSpans(cell: string): readonly string[] {
  return [...cell.matchAll(/(`+)(.+?)\1(?!`)/g)].map(([, , text = '']) => text.replace(/^ (.*) $/, '$1'));
}

function shownByOf(cell: string): SurfaceRow['shownBy'] {
  const [, reason] = /^none yet: (.+)$/.exec(cell) ?? [];
  if (reason !== undefined) return { reason };
  const [, file, name] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  return file === undefined || name === undefined ? null : { file, name };
}

/** The names of all end-to-end tests, by their file's name without a folder. Any other editor is a client over stdio. */
export function endToEndTests(): ReadonlyMap<string, readonly string[]> {
  const ofVscode = projectFiles(['test/e2e']).filter((file) => /\.test\.ts$|\/run\.cjs$/.test(file));
  const files = [...ofVscode, 'test/integration/any-editor.test.ts'];
  return new Map(files.map((file) => [path.basename(file), testsOf(readFileSync(projectFile(file), 'utf8'))]));
}

/** Names given to `test`, and those of the object `tests`, which one file runs inside the extension host. */
function testsOf(code: string): readonly string[] {
  const names: (string | null)[] = [];
  t.traverse(parse(code, { sourceType: 'unambiguous', plugins: ['typescript'] }), (node) => {
    if (t.isCallExpression(node) && t.isIdentifier(node.callee, { name: 'test' }))
      names.push(...node.arguments.slice(0, 1).map(textOf));
    if (t.isVariableDeclarator(node) && t.isIdentifier(node.id, { name: 'tests' }) && t.isObjectExpression(node.init))
      names.push(...node.init.properties.map((one) => (t.isObjectProperty(one) ? textOf(one.key) : null)));
  });
  return names.filter((name) => name !== null);
}
