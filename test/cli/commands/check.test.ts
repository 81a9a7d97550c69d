import assert from 'node:assert/strict';
import { chmodSync, linkSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runScript } from '../../helpers/action-steps.ts';
import { projectFile } from '../../helpers/project.ts';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { runHere } from '../../helpers/run-here.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { write } from '../../helpers/temporary-repository.ts';

const project = temporaryProject({});
const recordingOf = (name: FixtureName): string => copyFixture(name, { project }).recording;
const slower = (['small/slower-1', 'small/slower-2', 'small/slower-3'] as const).map(recordingOf);
const [failed, ...runs] = (['small/failed', 'small/run-1', 'small/run-2', 'small/run-3'] as const).map(recordingOf);

/** Judges recordings by the text of a budget. */
async function check(budget: string, recordings: readonly string[] = runs, ...options: string[]): Promise<CliRun> {
  write(project, { 'hotspan.budget.json': budget });
  return runHere(['check', ...recordings, ...options], { cwd: project });
}

const budgetOf = (functions: Readonly<Record<string, number>>, whole: number): string => {
  const entries = Object.entries(functions).map(([key, worstMs]) => [key, { worstMs }] as const);
  return JSON.stringify({ version: 1, functions: Object.fromEntries(entries), whole: { worstMs: whole } });
};

test('a budget that is written from recordings allows twice what they took, and they are within it', async () => {
  write(project, { 'new.json': ' \n' }); // An empty file is replaced.
  const [file, old] = [path.join(project, 'new.json'), path.join(project, 'old.json')];
  chmodSync(file, 0o600);
  linkSync(file, old);
  const { code } = await runHere(['check', '--update', ...runs, '--budget', 'new.json'], { cwd: project });
  assert.equal(code, 0);
  const text = readFileSync(file, 'utf8');
  const unwritten = [readFileSync(old, 'utf8'), statSync(old).mode];
  assert.deepEqual(unwritten, [' \n', statSync(file).mode], 'a full disk would empty what is written in place');
  assert.deepEqual(JSON.parse(text), {
    version: 1,
    node: '24.21.0',
    functions: { 'shop.js#quote': { worstMs: 138 }, 'shop.js#rank': { worstMs: 75 } },
    whole: { worstMs: 30 },
  });
  const green = await check(text);
  assert.equal(green.code, 0);
  assert.match(green.stdout, /^✓ {2}quote {2}shop\.js:2\n {3}66–75 ms of 138 ms \(3 runs\)\n/);
  assert.match(green.stdout, /\nWithin budget \(3 budgets, 3 runs\)\.\n$/);
  const red = await check(text, slower, '--markdown');
  assert.equal(red.code, 1);
  assert.ok(
    red.stdout.includes(String.raw`| over | quote | 283 ms\, over its budget of 138 ms in all 3 runs \(274–290 ms\) |`),
  );
});

test('a budget is of one command, unless recordings are said to be its parts; what it has from estimates is said', async () => {
  const mixed = [runs[0] ?? '', recordingOf('shop/first')];
  const { code, stderr } = await check(' ', mixed, '--update');
  assert.match(
    `${code} ${stderr}`,
    /^2 hotspan: 2 recordings are of different commands, .*--shards .* --runs .*written\.$/m,
  );
  const parts = await check(' ', mixed, '--update', '--shards');
  assert.match(parts.stderr, /2 budgets from estimates alone: src\S+, src\S+\. Measure again /);
});

test('without .git keys start at the root that a CI service names; where none does, the check says so', async () => {
  const [root, name] = [path.dirname(project), path.basename(project)];
  const unknown = await check(budgetOf({ [`${name}/shop.js#quote`]: 20, [`${name}/shop.js#rank`]: 1000 }, 500));
  assert.match(unknown.stdout, /^! Keys of a budget start at the root .* set CI_PROJECT_DIR to the root\.$/m);
  assert.doesNotMatch(unknown.stdout, /Did you mean/);
  const env = { ...process.env, CI_PROJECT_DIR: root };
  const { stdout } = await runHere(['check', ...runs], { cwd: project, env });
  assert.ok(stdout.startsWith(`✗  quote  ${name}/shop.js:2\n`), stdout);
});

test('a function of a file of which nothing was seen is within its budget, and an update leaves it, and the schema', async () => {
  write(project, { 'quick.js': 'exports.quick = function quick() {};\n' });
  const functions = { 'quick.js#quick': 200, 'quick.js#gone': 200, 'shop.js#rank': 1000 };
  const budget = budgetOf(functions, 500).replace('{', '{ "$schema": "../budget.json",');
  const { code, stdout } = await check(budget);
  assert.match(stdout, /\n✓ {2}quick {2}quick\.js:1\n {3}not seen over the threshold; 200 ms are allowed\n/);
  assert.match(stdout, /^\? {2}quick\.js#gone {2}.*\n.* not in the code: it was renamed or deleted/);
  assert.equal(code, 3);
  const { stderr } = await check(budget, runs, '--update');
  assert.match(stderr, /1 budget unchanged, because nothing of the file was seen: quick\.js#quick\./);
  assert.match(stderr, /1 budget removed, because the function is no longer in the code: quick\.js#gone\./);
  const written = readFileSync(path.join(project, 'hotspan.budget.json'), 'utf8');
  assert.match(written, /"\$schema": "\.\.\/budget\.json",[^]*"quick\.js#quick": \{\s+"worstMs": 200\s/);
  assert.equal((await check(written)).code, 0);
});

test('what is over its budget in all runs is red, and so is another function over what the others may take', async () => {
  const listed = await check(budgetOf({ 'shop.js#quote': 30 }, 100));
  assert.equal(listed.code, 1);
  assert.match(
    listed.stdout,
    /^✗ {2}quote {2}shop\.js:2\n {3}69 ms, over its budget of 30 ms in all 3 runs \(66–75 ms\)\n/,
  );
  assert.match(listed.stderr, /^hotspan: See why with "hotspan analyze \S+"\.$/m);
  const other = await check(budgetOf({ 'shop.js#rank': 100 }, 30));
  assert.equal(other.code, 1);
  assert.match(
    other.stdout,
    /^✗ {2}any other function \(quote\).*\n.*over the 30 ms that others may take, in all 3 runs/,
  );
});

test('a function that was renamed makes it unclear, and the name that it may have now is said', async () => {
  const { code, stdout } = await check(budgetOf({ 'shop.js#qoute': 30 }, 500));
  assert.equal(code, 3);
  assert.match(stdout, /^\? {2}shop\.js#qoute[\s\S]*it was renamed or deleted.*Did you mean "shop\.js#quote"\?/);
});

test('what a killed process may have done more is not known, so being within the budget is not certain', async () => {
  const recording = recordingOf('small/killed');
  const manifest = readFileSync(path.join(recording, 'recording.json'), 'utf8');
  // Its command has ended well, and one of its processes was killed.
  write(recording, { 'recording.json': JSON.stringify({ ...JSON.parse(manifest), exitCode: 0, signal: null }) });
  const killed = [recording];
  const within = await check(budgetOf({}, 300), killed);
  assert.equal(within.code, 3);
  assert.match(
    within.stdout,
    /\nNot all could be judged .*\n! Process \d+ was killed, or crashed: its last 10 s may be missing/,
  );
  assert.equal((await check(budgetOf({}, 30), killed)).code, 1);
});

test('a recorded command that failed gives its own exit code: what did not run has no figures', async () => {
  const { code, stdout, stderr } = await check(budgetOf({}, 5000), [failed ?? '']);
  assert.equal(code, 1);
  assert.match(
    `${stdout}${stderr}`,
    /The command of \S+failed failed \(exit code 1\), so what did not run was not judged/,
  );
  const env = { ...process.env, GITHUB_OUTPUT: path.join(project, 'no', 'output') };
  const unwritten = await runHere(['check', ...runs, failed ?? '', '--report', 'github'], { cwd: project, env });
  assert.match(`${unwritten.code} ${unwritten.stderr}`, /^1 [^]*output cannot be written: ENOENT/);
  const names = ['failed', 'run-1', 'other'] as const;
  for (const name of names) copyFixture(`small/${name}`, { project, recording: path.join(project, 'job', name) });
  const folder = await check(budgetOf({}, 5), ['job']); // As a CI job leaves them.
  assert.match(folder.stdout, /^! The command of \S+job[/\\]failed failed \(exit code 1\)/m);
  assert.match(
    folder.stderr,
    /^hotspan: 3 recordings count together: [^]*See why with "hotspan analyze job\S+ job\S+ job\S+"\.$/m,
  );
});

test('one that shows nothing does so, too, and one that a signal ended has the code that a shell gives it', async () => {
  for (const [end, code] of [
    ['"exitCode": 7, "signal": null', 7],
    ['"exitCode": null, "signal": "SIGKILL"', 137],
  ] as const) {
    write(project, { 'empty/recording.json': `{ "command": ["x"], "endedAt": "2026-01-31T12:00:00.000Z", ${end} }` });
    for (const options of [[], ['--update']]) {
      const run = await check(budgetOf({}, 5000), ['empty'], ...options);
      assert.equal(run.code, code, run.stdout);
      assert.match(run.stderr, /empty/);
    }
  }
});

test('a budget that cannot be used is said in a sentence', async () => {
  const command = ['--', process.execPath, '--eval', 'process.exit(9)'];
  const nowhere = await runHere(['check', '--update', '--budget', 'no/b.json', ...command], { cwd: project });
  assert.equal(nowhere.code, 2, 'nothing runs whose result cannot be written');
  assert.match(nowhere.stderr, /^hotspan: no\/b\.json cannot be written: ENOENT/);
  const missing = await runHere(['check', ...runs, '--budget', 'none.json'], { cwd: project });
  assert.deepEqual([missing.code, missing.stdout], [2, '']);
  assert.match(
    missing.stderr,
    /none\.json is not here: "hotspan check --update --budget none\.json -- npm test" writes/,
  );
  write(project, { 'above.json': '{', 'packages/a/x': '', 'repository/.git/x': '' });
  const below = async (folder: string): Promise<CliRun> =>
    runHere(['check', ...runs, '--budget', 'above.json'], { cwd: path.join(project, folder) });
  assert.match(
    (await below('packages/a')).stderr,
    /not here, but further up: add "--budget \.\.\/\.\.\/above\.json"\./,
  );
  assert.match((await below('repository')).stderr, /above\.json is not here: /, 'another repository is');
  const wrong = [
    ['{ "version": 1 }', /has no budget in it/],
    ['{', /hotspan\.budget\.json:1 is not JSON: /],
    ['{ "version": 2 }', /is wrong at "version"/],
    [
      '{ "version": 1, "whole": { "worstMs": "x" } }',
      /is wrong at "whole\.worstMs": it is not a number: write milliseconds, such as 200/,
    ],
    [
      '{ "version": 1, "files": {\n"src/[": { "worstMs": 5 } } }',
      /json:2 has a pattern that is not understood, "src\/\[": write one such as/,
    ],
  ] as const;
  for (const [text, sentence] of wrong) {
    const { code, stderr } = await check(text);
    assert.equal(code, 2, text);
    assert.match(stderr, sentence);
  }
});

test('the action is red at the line of the function that is over its budget, in its summary and in its report', () => {
  const [bin, job, shop] = [temporaryProject({}), temporaryProject({}), temporaryProject({})];
  const { recording } = copyFixture('shop/first', { project: shop });
  const budget = budgetOf({ 'src/catalogue/catalogue.js#Catalogue>snapshot': 15 }, 500);
  write(shop, { 'hotspan.budget.json': budget });
  // In place of the command's runs it judges the recording.
  const words = 'for word in "$@"; do [ "$word" = -- ] && break; words+=("$word"); done';
  const command = `'${process.execPath}' '${projectFile('dist/cli.cjs')}' "\${words[@]}" '${recording}'`;
  write(bin, { hotspan: `#!/usr/bin/env bash\n${words}\nexec ${command}\n` });
  chmodSync(path.join(bin, 'hotspan'), 0o755);
  const [output, summary] = [path.join(job, 'output'), path.join(job, 'summary')];
  const env = {
    ...{ ...process.env, NODE_TEST_CONTEXT: undefined, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    ...{
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: shop,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    },
    ...{ HOTSPAN_COMMAND: 'npm test', HOTSPAN_BUDGET: 'hotspan.budget.json', HOTSPAN_REPORTS: 'junit=out/junit.xml' },
  };
  const { status, stdout, stderr } = runScript('Check the budget', env, shop);
  assert.equal(status, 0, stderr);
  assert.equal(readFileSync(output, 'utf8'), 'exit-code=1\n', stdout);
  assert.match(
    stdout,
    /^::error file=src\/catalogue\/catalogue\.js,line=21,title=Hotspan%3A over budget::.*snapshot: /m,
  );
  assert.match(readFileSync(summary, 'utf8'), /\| over \| .*snapshot/);
  assert.match(readFileSync(path.join(shop, 'out/junit.xml'), 'utf8'), /failures="1"/);
  assert.equal(runScript('Judge', { ...env, CODE: '1', FAIL_ON_UNCLEAR: 'true' }, shop).status, 1);
});
