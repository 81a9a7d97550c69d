import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { runScript, scriptOf } from '../helpers/action-steps.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** Runs a step as GitHub does, where programs print their arguments, one a line, and exit with `code`. */
function runStep(step: string, env: NodeJS.ProcessEnv, code = 0, cwd = tmpdir()) {
  const script = `#!/bin/sh\nprintf '%s\\n' "$@"\nexit ${code}\n`;
  const folder = temporaryProject({ hotspan: script, npm: script, output: '' });
  for (const name of ['hotspan', 'npm']) chmodSync(path.join(folder, name), 0o755);
  const output = path.join(folder, 'output');
  const searched = `${folder}:${process.env['PATH'] ?? ''}`;
  const own = { PATH: searched, GITHUB_OUTPUT: output, GITHUB_PATH: path.join(folder, 'path') };
  const { status, stdout } = runScript(step, { ...process.env, ...env, ...own }, cwd);
  return { status, folder, words: stdout.trimEnd().split('\n'), output: readFileSync(output, 'utf8') };
}

const inputs = { HOTSPAN_COMMAND: 'npm test', HOTSPAN_BUDGET: 'hotspan.budget.json', HOTSPAN_REPORTS: '' };

test('the action checks the command by the budget, with annotations and the reports that are wanted', () => {
  const env = {
    ...inputs,
    HOTSPAN_COMMAND: `node -e 'a b' "$HOME x"`,
    HOME: '/h',
    HOTSPAN_REPORTS: 'sarif=a b.sarif\n',
  };
  const { words } = runStep('Check the budget', env);
  const command = ['node', '-e', 'a b', '/h x'];
  const reports = ['--report', 'github', '--report', 'sarif=a b.sarif'];
  assert.deepEqual(words, ['check', '--budget', 'hotspan.budget.json', ...reports, '--', ...command]);
});

test('the step that checks never ends the job: what comes after keeps the recordings and judges', () => {
  for (const code of [0, 1, 2, 3]) {
    const { status, output } = runStep('Check the budget', inputs, code);
    assert.deepEqual([status, output], [0, `exit-code=${code}\n`]);
  }
});

test('over its budget fails, and what could not be judged warns unless it is wanted to fail', () => {
  const judge = (CODE: string, FAIL_ON_UNCLEAR: string) => runStep('Judge', { CODE, FAIL_ON_UNCLEAR });
  assertEach(['0', '1', '2', '3'], (code) => judge(code, 'false').status, [0, 1, 2, 0]);
  assert.match(judge('3', 'false').words[0] ?? '', /^::warning title=Hotspan::Not all of the budget could be judged\./);
  assert.equal(judge('3', 'true').status, 3);
});

test('a version is a version of hotspan, and anything else what npm installs', () => {
  const installed = (version: string) => runStep('Install Hotspan', { HOTSPAN_VERSION: version }).words.at(-1) ?? '';
  assertEach(['0.1.0', '^0.1.0', 'beta'], installed, ['hotspan@0.1.0', 'hotspan@^0.1.0', 'hotspan@beta']);
  assert.equal(installed(''), 'hotspan@latest');
  const others = ['./hotspan.tgz', 'own.tgz', 'me/hotspan'];
  assertEach(others, installed, others);
});

test('without a version it is the one that the project, or the workspace around it, has installed', () => {
  const project = temporaryProject({ 'packages/api/package.json': '{}' });
  const bin = path.join(project, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'hotspan'), '', { mode: 0o755 });
  for (const cwd of [project, path.join(project, 'packages/api')]) {
    const { words, folder } = runStep('Install Hotspan', { HOTSPAN_VERSION: '' }, 0, cwd);
    assert.deepEqual([words, readFileSync(path.join(folder, 'path'), 'utf8')], [[''], `${bin}\n`]);
  }
});

test('no input stands in a script, where it would be code', () => {
  for (const step of ['Install Hotspan', 'Check the budget', 'Judge']) {
    assert.notEqual(scriptOf(step), '');
    assert.doesNotMatch(scriptOf(step), /\$\{\{/);
  }
});
