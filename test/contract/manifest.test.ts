import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  agentTools,
  changeColors,
  colors,
  tierColors,
  commands,
  internalCommands,
  mcpProvider,
  settings,
  taskType,
  viewTypes,
  views,
  walkthrough,
} from '../../protocol/ids.ts';
import { tools } from '../../agents/tools.ts';
import { fieldsOf, listOf, numberOf } from '../../protocol/json-value.ts';
import { readAll } from '../../words/editor/read-settings.ts';
import manifest from '../../package.json' with { type: 'json' };
import texts from '../../package.nls.json' with { type: 'json' };
import { projectFile } from '../helpers/project.ts';

const { contributes } = manifest;
const text = readFileSync(projectFile('package.json'), 'utf8');
const ids = <Key extends string>(list: readonly { readonly [key in Key]: string }[], key: Key): ReadonlySet<string> =>
  new Set(list.map((entry) => entry[key]));

test('every command that people can run is contributed, and no other', () => {
  const contributed = ids(contributes.commands, 'command');
  const known = new Set<string>([...Object.values(commands), ...Object.values(internalCommands)]);
  for (const id of Object.values(commands)) assert.ok(contributed.has(id), id);
  for (const id of contributed) assert.ok(known.has(id), id);
});

test('every menu, key and welcome text names a command that there is', () => {
  const contributed = ids(contributes.commands, 'command');
  const menus: readonly { readonly command: string }[] = Object.values(contributes.menus).flat();
  for (const { command } of [...menus, ...contributes.keybindings]) assert.ok(contributed.has(command), command);
  const links = readFileSync(projectFile('package.nls.json'), 'utf8').matchAll(/command:(hotspan\.\w+)/g);
  for (const [, command = ''] of links) assert.ok(contributed.has(command), command);
});

test('the tools of agents are those of the code, and what runs code is hidden where it may not run', () => {
  const declared = contributes.languageModelTools.map(({ name, modelDescription, inputSchema, ...rest }) => {
    const isHidden = 'when' in rest && rest.when === 'isWorkspaceTrusted && !virtualWorkspace';
    return { name, modelDescription, inputSchema, isHidden };
  });
  const known = tools.flatMap(({ name, description, inputs, required, runs }) => {
    if (name === 'job') return [];
    const inputSchema = { type: 'object', properties: inputs, ...(required.length === 0 ? {} : { required }) };
    return [{ name: agentTools[name], modelDescription: description, inputSchema, isHidden: runs }];
  });
  assert.deepEqual(declared, known);
  assert.deepEqual(ids(contributes.mcpServerDefinitionProviders, 'id'), new Set([mcpProvider]));
});

test('settings, views, colours and types of the manifest are those of the code', () => {
  assert.deepEqual(new Set(Object.keys(contributes.configuration.properties)), new Set(Object.values(settings)));
  const all = [...Object.values(colors), ...Object.values(tierColors), ...Object.values(changeColors)];
  assert.deepEqual(ids(contributes.colors, 'id'), new Set<string>(all));
  const { container, ...ofContainer } = views;
  assert.deepEqual(ids(contributes.views[container], 'id'), new Set(Object.values(ofContainer)));
  assert.deepEqual(ids(contributes.taskDefinitions, 'type'), new Set([taskType]));
  assert.deepEqual(ids(contributes.customEditors, 'viewType'), new Set([viewTypes.profile, viewTypes.gzippedProfile]));
  assert.deepEqual(ids(contributes.walkthroughs, 'id'), new Set([walkthrough]));
});

test('every text of the manifest is in package.nls.json, and none too many', () => {
  const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
  assert.deepEqual(used, new Set(Object.keys(texts)));
});

test('nothing holds the start of the editor up, and what runs is hidden where it may not run', () => {
  assert.deepEqual(manifest.activationEvents, ['onStartupFinished', `onWebviewPanel:${viewTypes.flamegraph}`]);
  const { profileTests, profileFile, profileScript, profileApp, profileDebugSession, profileAgain } = commands;
  const { attachToProcess, recordTiers, setBaseline, compareWith, compareAgain } = commands;
  const runs = new Set<string>([
    ...[profileTests, profileFile, profileScript, profileApp, profileDebugSession, profileAgain],
    ...[attachToProcess, recordTiers, setBaseline, compareWith, compareAgain],
  ]);
  for (const { command, enablement = '' } of contributes.commands) {
    if (runs.has(command)) assert.match(enablement, /isWorkspaceTrusted && !virtualWorkspace/);
  }
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
});

test('a setting that names a program is the machine’s, and every restricted setting exists', () => {
  const { properties } = contributes.configuration;
  assert.equal(properties[settings.nodePath].scope, 'machine-overridable');
  for (const name of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations)
    assert.ok(name in properties, name);
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(settings.testPatterns));
});

test('a setting has the default and the limits that the manifest gives', () => {
  const { [settings.pathMappings]: _, ...others } = contributes.configuration.properties;
  const found = new Map<string, unknown>();
  readAll((name, standard, is) => {
    const { default: usual, minimum, maximum, enum: values } = fieldsOf(fieldsOf(others)[settings[name]]);
    for (const value of [...listOf(values), minimum ?? standard, maximum ?? standard]) assert.ok(is(value), name);
    for (const step of [0.05, 1])
      assert.ok(!is(numberOf(minimum, NaN) - step) && !is(numberOf(maximum, NaN) + step), name);
    found.set(settings[name], usual === null ? usual : standard);
    return standard;
  });
  assert.deepEqual(found, new Map(Object.entries(others).map(([id, one]) => [id, one.default])));
});

test('every colour is there for dark, light and both high contrasts', () => {
  for (const { defaults } of contributes.colors) {
    assert.deepEqual(Object.keys(defaults).toSorted(), ['dark', 'highContrast', 'highContrastLight', 'light']);
  }
});

test('every file that the manifest names is there', () => {
  for (const [, file = ''] of text.matchAll(/"(?:\.\/)?((?:media|docs)\/[^"]+)"/g))
    assert.ok(existsSync(projectFile(file)), file);
});
