import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { holds } from '../helpers/when-clauses.ts';

const { commands, menus, views, keybindings } = manifest.contributes;

type Context = Readonly<Record<string, string | boolean>>;

/** The entries of the palette: commands of the manifest, and *Focus on … View*, which VS Code adds for each view. */
function palette(context: Context): readonly string[] {
  const ofCommands = commands.filter(({ command, ...rest }) => {
    const entry = menus.commandPalette.find((one) => one.command === command);
    const enabled = 'enablement' in rest && rest.enablement !== undefined ? rest.enablement : 'true';
    return holds(entry?.when ?? 'true', context) && holds(enabled, context);
  });
  const ofViews = views.hotspan.filter((view) => holds('when' in view ? view.when : 'true', context));
  return [...ofCommands.map(({ command }) => command), ...ofViews.map(({ id }) => `${id}.focus`)];
}

const trusted = { isWorkspaceTrusted: true };
const editor = { editorIsOpen: true, editorTextFocus: true, resourceScheme: 'file', resourceLangId: 'typescript' };
const result = { 'hotspan.hasResult': true, 'hotspan.hasHotspots': true, 'hotspan.hasLastRun': true };
const flamegraph = { activeWebviewPanelId: 'hotspan.flamegraph', editorIsOpen: true };

test('the palette has at most 20 commands before there is a result, and 30 with one', () => {
  const before = [trusted, { ...trusted, ...editor }, {}];
  for (const context of before) assertAtMost(20, palette(context));
  const comparison = { 'hotspan.hasComparison': true };
  for (const more of [editor, flamegraph, { ...editor, ...comparison }])
    assertAtMost(30, palette({ ...trusted, ...result, ...more }));
});

test('what needs a result, or an editor, is offered only where there is one', () => {
  const before = palette({ ...trusted, ...editor });
  const after = palette({ ...trusted, ...editor, ...result });
  const elsewhere = palette({ ...trusted, ...flamegraph, ...result });
  for (const name of ['nextFinding', 'setBaseline', 'recheck', 'openWorst', 'explain']) {
    assert.ok(!before.includes(`hotspan.${name}`), name);
    assert.ok(after.includes(`hotspan.${name}`), name);
  }
  for (const name of ['recheck', 'openWorst', 'explain']) assert.ok(!elsewhere.includes(`hotspan.${name}`), name);
  assert.ok(before.includes('hotspan.profileTests') && !palette({}).includes('hotspan.profileTests'));
});

test('the commands at the cursor have keys, chords that VS Code has no other use for', () => {
  const keyOf = (name: string): string => keybindings.find(({ command }) => command === `hotspan.${name}`)?.key ?? '';
  for (const name of ['nextFinding', 'explain', 'recheck', 'openWorst']) assert.match(keyOf(name), /^ctrl\+k alt\+\w$/);
});

test('when clauses are read as VS Code reads them', () => {
  const context = { a: true, b: false, lang: 'typescript' };
  assert.ok(holds('a && !b', context));
  assert.ok(holds('b || a', context));
  assert.ok(holds('b && a || a', context));
  assert.ok(!holds('a && (b || none)', context));
  assert.ok(holds('lang == typescript && lang =~ /^(java|type)script(react)?$/', context));
  assert.ok(!holds('lang =~ /^(java && x)/ && a', context));
});

function assertAtMost(most: number, found: readonly string[]): void {
  assert.ok(found.length <= most, `${found.length} of at most ${most}:\n${found.join('\n')}`);
}
