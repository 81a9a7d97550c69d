import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import * as t from '@babel/types';
import { projectFile, projectFiles } from './project.ts';

/** A text that a person reads, as the code has it. */
export interface Sentence {
  /** What is put in stands as `…`, the end of a line as `⏎`. */
  readonly text: string;
  /** From the root of the project: `extension/main.ts:12`. */
  readonly place: string;
}

/**
 * Every text that a person reads in the TypeScript files below these folders. A text is one that has two words side by
 * side, or a word beside something put in, or is one word with a capital, or stands where only texts for persons stand
 * (`labelKeys`, `sayingCalls`).
 */
export function sentencesBelow(folders: readonly string[]): readonly Sentence[] {
  return projectFiles(folders)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .flatMap((file) => sentencesOf(readFileSync(projectFile(file), 'utf8'), file));
}

/** The same of one file's text. */
export function sentencesOf(code: string, file: string): readonly Sentence[] {
  const found: Sentence[] = [];
  t.traverse(parse(code, { sourceType: 'module', plugins: ['typescript'] }), (node, ancestors) => {
    const text = textOf(node);
    if (text === null || !hasWord(text) || isMarkup(text)) return;
    if (!(isProse(text) || isLabel(ancestors))) return;
    if (ancestors.some(isNoText) || ancestors.slice(-1).some(isCompared)) return;
    found.push({ text: onOneLine(text), place: `${file}:${node.loc?.start.line ?? 1}` });
  });
  return found;
}

/** A text without the space around it, with `⏎` for the end of a line. */
export function onOneLine(text: string): string {
  return text.trim().replaceAll('\n', '⏎');
}

/** What a literal says, with `…` for what is put in; null for other nodes. */
export function textOf(node: t.Node): string | null {
  if (t.isStringLiteral(node)) return node.value;
  return t.isTemplateLiteral(node) ? node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…') : null;
}

type Ancestor = t.TraversalAncestors[number];

/** A word of two letters or more, besides the names of icons. */
function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\$\([^)]*\)/g, ''));
}

/** HTML, or a line of a content security policy such as `font-src …`. */
function isMarkup(text: string): boolean {
  return /^(<|\w+-src )/.test(text);
}

/** Two words side by side, a word beside something put in, or one word with a capital. */
function isProse(text: string): boolean {
  return /\p{L}{2,}[,.:;”"]? \p{L}|\p{L}{2,}:? …|… \p{L}{2,}|^\p{Lu}\p{Ll}+…?$/u.test(text);
}

/** Names of properties whose values are shown, by VS Code or on a page. */
const labelKeys = new Set(
  'label title tooltip description detail placeHolder prompt message ariaLabel textContent'.split(' '),
);

/** Calls whose texts are all shown. */
const sayingCalls = /^show\w*Message$/;

/** Whether a text is the value of such a property, or given to such a call, as it is or as one of several. */
function isLabel(ancestors: readonly Ancestor[]): boolean {
  const outer = ancestors.findLast(({ node, key }) => !(isChoice(node) && key !== 'test'));
  if (outer === undefined) return false;
  const { node, key } = outer;
  if (t.isObjectProperty(node)) return key === 'value' && labelKeys.has(nameOf(node.key));
  if (t.isAssignmentExpression(node)) return key === 'right' && labelKeys.has(nameOf(node.left));
  return t.isCallExpression(node) && key === 'arguments' && sayingCalls.test(nameOf(node.callee));
}

function isChoice(node: t.Node): boolean {
  return t.isConditionalExpression(node) || t.isLogicalExpression(node) || t.isTSAsExpression(node);
}

/** Properties and calls that take names of classes, styles and selectors. */
const styleNames = /^(class|className|textDecoration|querySelector(All)?|classed)$/;

/** Paths of imports, types, names of properties, and styles. */
function isNoText({ node, key }: Ancestor): boolean {
  if (t.isImportDeclaration(node) || t.isTSType(node)) return true;
  if (t.isObjectProperty(node)) return key === 'key' || styleNames.test(nameOf(node.key));
  if (t.isAssignmentExpression(node)) return styleNames.test(nameOf(node.left));
  return t.isCallExpression(node) && styleNames.test(nameOf(node.callee));
}

/** What another text is compared with, such as the name of a key, or is cut to the length of. */
function isCompared({ node, key }: Ancestor): boolean {
  if (t.isBinaryExpression(node)) return /^[=!]==$/.test(node.operator);
  if (t.isSwitchCase(node)) return key === 'test';
  if (t.isMemberExpression(node)) return key === 'object';
  return t.isCallExpression(node) && nameOf(node.callee) === 'startsWith';
}

/** The last name of an expression: `showInformationMessage` of `window.showInformationMessage`. */
function nameOf(node: t.Node): string {
  if (t.isIdentifier(node)) return node.name;
  if (t.isStringLiteral(node)) return node.value;
  return t.isMemberExpression(node) ? nameOf(node.property) : '';
}
