import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { CommandHost } from '../../extension/commands/command-arguments.ts';
import { agentTools, mcpProvider } from '../../protocol/ids.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { Disposable, fake, lm } from '../helpers/fake-vscode-module.ts';
import { is } from '../helpers/late-services.ts';

fakeVscode();
const { activateAgentTools } = await import('../../extension/main.ts');
const { prepareTool, runTool } = await import('../../extension/commands/agent-tools.ts');

const host = { services: { results: { summary: null } } };
assert.ok(is<CommandHost>(host));
const shown = host;
const registered: string[] = [];
const register = (name: string): Disposable => {
  registered.push(name);
  return new Disposable(() => undefined);
};

beforeEach(() => {
  registered.length = 0;
  fake.isTrusted = true;
});

test('an editor with tools gets tools, another one a server, and none gets both', () => {
  Object.assign(lm, { registerTool: register, registerMcpServerDefinitionProvider: register });
  activateAgentTools(shown);
  assert.deepEqual(registered, Object.values(agentTools));
  registered.length = 0;
  delete lm.registerTool;
  activateAgentTools(shown);
  assert.deepEqual(registered, [mcpProvider]);
  delete lm.registerMcpServerDefinitionProvider;
  activateAgentTools(shown).dispose();
});

test('what runs code asks first, and nothing runs in a folder that is not trusted', async () => {
  const profile = await prepareTool(shown, 'profile', { script: 'test' });
  assert.equal(profile.confirmationMessages?.title, 'Hotspan: profile test');
  assert.equal((await prepareTool(shown, 'hotspots', { limit: 5 })).confirmationMessages, undefined);
  fake.isTrusted = false;
  const input = { base: 'main' };
  await assert.rejects(prepareTool(shown, 'compare', input), /not trusted/);
  const token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable(() => undefined) };
  await assert.rejects(runTool(shown, 'compare', input, token), /not trusted/);
});

test('an input that no tool takes is refused with a sentence', async () => {
  await assert.rejects(prepareTool(shown, 'explain', {}), /explain needs "at", such as src\/cart\.ts:12\./);
  await assert.rejects(prepareTool(shown, 'compare', { base: '--upload-pack=x' }), /does not begin with "-"/);
});
