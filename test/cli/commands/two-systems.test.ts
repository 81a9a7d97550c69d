import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import { parseComparison } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { assertEach } from '../../helpers/assert-each.ts';

const project = temporaryProject({});
const onWindows = String.raw`C:\Läden 1\shop`;
const names = ['small/run-1', 'small/run-2', 'small/run-3'] as const;
const copied = (folder: string, ranIn: string) => (name: FixtureName) =>
  copyFixture(name, { project, recording: path.join(project, folder, path.basename(name)), ranIn }).recording;
const sides = { linux: names.map(copied('linux', project)), windows: names.map(copied('windows', onWindows)) };

test('a budget that was written on one system is the same on the other, and passes there', async () => {
  const texts: string[] = [];
  for (const [system, runs] of Object.entries(sides)) {
    const { code } = await runCli(['check', '--update', ...runs, '--budget', `${system}.json`], { cwd: project });
    assert.equal(code, 0);
    texts.push(readFileSync(path.join(project, `${system}.json`), 'utf8'));
  }
  assert.match(texts[0] ?? '', /"shop\.js#quote"/);
  assert.equal(texts[1], texts[0]);
  for (const runs of Object.values(sides)) {
    const { code, stdout } = await runCli(['check', ...runs, '--budget', 'windows.json'], { cwd: project });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Within budget \(3 budgets, 3 runs\)/);
  }
});

test('what leaves the machine is the same text from both systems', async () => {
  const reports = ['gitlab', 'sarif', 'junit'].flatMap((format) => ['--report', `${format}=${format}.out`]);
  const budget = JSON.stringify({ version: 1, functions: { 'shop.js#quote': { worstMs: 30 } } });
  const written = [];
  for (const runs of Object.values(sides)) {
    const cwd = temporaryProject({ 'hotspan.budget.json': budget, 'package.json': '{}' });
    await runCli(['check', ...runs, ...reports], { cwd });
    written.push(['gitlab', 'sarif', 'junit'].map((format) => readFileSync(path.join(cwd, `${format}.out`), 'utf8')));
  }
  assert.match(written[0]?.join('') ?? '', /shop\.js/);
  assert.deepEqual(written[1], written[0]);
});

test('a comparison of a run of each system finds every function', async () => {
  const [base = '', head = ''] = [sides.windows[0], sides.linux[1]];
  const words = ['compare', base, '--head', head, '--json'];
  const { stdout } = await runCli(words, { cwd: project });
  const { functions } = parseComparison(stdout);
  assertEach(functions, ({ was, is }) => [was?.file, is?.file], [
    ['shop.js', 'shop.js'],
    ['shop.js', 'shop.js'],
  ]);
});
