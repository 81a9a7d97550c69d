import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectFile } from '../helpers/project.ts';

const action = readFileSync(projectFile('action.yml'), 'utf8');

/** The script of a step of action.yml, by the step's name. */
function scriptOf(step: string): string {
  const [, after = ''] = action.split(`- name: ${step}\n`);
  const [, script = ''] = /\n {6}run: \|\n((?: {8}.*\n|\n)+)/.exec(after) ?? [];
  return script.replaceAll(/^ {8}/gm, '');
}

/** Runs a step as GitHub does, where programs print their arguments, one a line, and exit with `code`. */
function runStep(context: TestContext, step: string, env: NodeJS.ProcessEnv, code = 0) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-action-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['hotspan', 'npm']) {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@"\nexit ${code}\n`);
    chmodSync(file, 0o755);
  }
  const output = path.join(folder, 'output');
  writeFileSync(output, '');
  const searched = `${folder}:${process.env['PATH'] ?? ''}`;
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', scriptOf(step)], {
    env: { ...process.env, ...env, PATH: searched, GITHUB_OUTPUT: output },
    encoding: 'utf8',
  });
  return { status, words: stdout.trimEnd().split('\n'), output: readFileSync(output, 'utf8') };
}

const inputs = { HOTSPAN_COMMAND: 'npm test', HOTSPAN_BUDGET: 'hotspan.budget.json', HOTSPAN_REPORTS: '' };

test('the action checks the command by the budget, with annotations and the reports that are wanted', (context) => {
  const env = {
    ...inputs,
    HOTSPAN_COMMAND: `node -e 'a b' "$HOME x"`,
    HOME: '/h',
    HOTSPAN_REPORTS: 'sarif=a b.sarif\n',
  };
  const { words } = runStep(context, 'Check the budget', env);
  const command = ['node', '-e', 'a b', '/h x'];
  const reports = ['--report', 'github', '--report', 'sarif=a b.sarif'];
  assert.deepEqual(words, ['check', '--budget', 'hotspan.budget.json', ...reports, '--', ...command]);
});

test('the step that checks never ends the job: what comes after keeps the recordings and judges', (context) => {
  for (const code of [0, 1, 2, 3]) {
    const { status, output } = runStep(context, 'Check the budget', inputs, code);
    assert.deepEqual([status, output], [0, `exit-code=${code}\n`]);
  }
});

test('over its budget fails, and what could not be judged warns unless it is wanted to fail', (context) => {
  const judge = (CODE: string, FAIL_ON_UNCLEAR: string) => runStep(context, 'Judge', { CODE, FAIL_ON_UNCLEAR });
  assert.deepEqual(
    ['0', '1', '2', '3'].map((code) => judge(code, 'false').status),
    [0, 1, 2, 0],
  );
  assert.match(judge('3', 'false').words[0] ?? '', /^::warning title=Hotspan::Not all of the budget could be judged\./);
  assert.equal(judge('3', 'true').status, 3);
});

test('a version is a version of hotspan, and anything else what npm installs', (context) => {
  const installed = (version: string) =>
    runStep(context, 'Install Hotspan', { HOTSPAN_VERSION: version }).words.at(-1) ?? '';
  assert.deepEqual(['0.1.0', 'latest', './hotspan.tgz'].map(installed), [
    'hotspan@0.1.0',
    'hotspan@latest',
    './hotspan.tgz',
  ]);
});

test('no input stands in a script, where it would be code', () => {
  for (const step of ['Install Hotspan', 'Check the budget', 'Judge']) {
    assert.notEqual(scriptOf(step), '');
    assert.doesNotMatch(scriptOf(step), /\$\{\{/);
  }
});
