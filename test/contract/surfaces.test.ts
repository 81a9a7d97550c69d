import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import manifestTexts from '../../package.nls.json' with { type: 'json' };
import { assertEach } from '../helpers/assert-each.ts';
import { projectFile } from '../helpers/project.ts';
import { type Sentence, onOneLine, sentencesBelow, sentencesOf } from '../helpers/sentences.ts';
import { endToEndTests, surfaceRows } from '../helpers/surfaces.ts';

/** How many rows say `none yet`. Lower it with each that gets its test; it is never raised. */
const withoutTest = 2;

const document = 'lab/docs/surfaces.md';
const rows = surfaceRows(readFileSync(projectFile(document), 'utf8'));
const sentences = [
  ...sentencesBelow([
    'extension',
    'words/editor',
    'language-server',
    'words/remedies.ts',
    'engine/judge/remedies/remedies.ts',
    'webview',
  ]),
  ...ofManifest(),
];

test('every text that a person can see in the editor has a row', () => {
  const listed = new Set(rows.flatMap(({ texts }) => texts));
  const missing = sentences.filter(({ text }) => !listed.has(text));
  assertNone(
    missing.map(({ text, place }) => `${place}  ${inCode(text)}`),
    `Texts without a row in ${document}. Add each to the section of its surface, to the row of its state (after <br>) or as\n| what must be so | \`the text\` | \`file.test.ts\`: name of the end-to-end test that brings it about |`,
  );
});

test('every text of a row stands in the code', () => {
  const written = new Set(sentences.map(({ text }) => text));
  const gone = rows.flatMap(({ surface, texts }) =>
    texts.filter((text) => !written.has(text)).map((text) => `${surface}: ${inCode(text)}`),
  );
  assertNone(
    gone,
    `Texts of ${document} that stand nowhere in the code. Write them as the code has them, or take them out:`,
  );
  assertNone(
    rows
      .filter(({ state, texts }) => state === '' || texts.length === 0)
      .map(({ surface, state }) => `${surface}: ${state}`),
    `Rows of ${document} without a state or a text:`,
  );
});

test('every row names an end-to-end test that there is', () => {
  const tests = endToEndTests();
  const wrong = rows.flatMap(({ surface, state, shownBy }) => {
    const where = `${surface}: ${state}: `;
    if (shownBy === null) return [`${where}write \`file.test.ts\`: name, or none yet: reason`];
    if ('reason' in shownBy) return [];
    const there = tests.get(shownBy.file);
    if (there === undefined) return [`${where}no file ${shownBy.file} below test/e2e`];
    return there.includes(shownBy.name)
      ? []
      : [`${where}${shownBy.file} has no test “${shownBy.name}”, but\n${list(there)}`];
  });
  assertNone(wrong, `End-to-end tests of ${document} that are not there. Write their names as they are now:`);
});

test('rows without an end-to-end test become fewer', () => {
  const count = rows.filter(({ shownBy }) => shownBy !== null && 'reason' in shownBy).length;
  assert.ok(
    count <= withoutTest,
    `${count} rows of ${document} say “none yet”, ${withoutTest} did: write a test for the new ones.`,
  );
  assert.ok(
    count >= withoutTest,
    `Fewer rows say “none yet”: set withoutTest in surfaces.test.ts to ${count}, so that it stays so.`,
  );
});

test('what is not text for a person is not taken for one', () => {
  const code = `import { a } from 'of no interest';
    type Kind = 'of no interest';
    const row = { 'of no interest': a, class: 'of no interest', title: 'One', id: 'two' };
    if (key === 'Enter') say('hotspan.profileTests', '<p class="x">of no interest</p>');
    window.showErrorMessage(ok ? 'three' : \`\${count} four\`, 'Five');`;
  assertEach(sentencesOf(code, 'a.ts'), ({ text }) => text, ['One', 'three', '… four', 'Five']);
});

/** Texts of package.nls.json, and those that package.json has itself. */
function ofManifest(): readonly Sentence[] {
  const own = [
    ...JSON.stringify(manifest.contributes).matchAll(/"(?:title|name|contextualTitle|category)":"([^"%]+)"/g),
  ];
  return [
    ...Object.entries(manifestTexts).map(([key, text]) => ({
      text: onOneLine(text),
      place: `package.nls.json: ${key}`,
    })),
    ...own.map(([, text = '']) => ({ text, place: 'package.json' })),
  ];
}

function inCode(text: string): string {
  const most = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(most + 1);
  return `${ticks}${text.replaceAll('|', String.raw`\|`)}${ticks}`;
}

function assertNone(found: readonly string[], what: string): void {
  assert.equal(found.length, 0, `${what}\n${list(found)}\n`);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
