import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { isRecord } from '../../protocol/json-value.ts';
import { parseComparison } from '../helpers/report-schema.ts';
import { blockingShop, shopFiles } from '../helpers/blocking-shop.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { newFolder, Repository, write } from '../helpers/temporary-repository.ts';

const tests = ['--', process.execPath, '--test', 'shop.test.js'];

const run = async (repository: Repository, ...words: readonly string[]): Promise<CliRun> =>
  runCli(words, { cwd: repository.folder, env: { ...repository.env, XDG_CACHE_HOME: repository.temporary } });

describe('hotspan baseline and recheck (real clock)', () => {
  test('say that a fix helped, by line and by name, and leave the repository as it was', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'new.js': 'exports.isNew = true;\n' });
    const set = await run(repository, 'baseline', ...tests);
    assert.match(set.stderr, /The baseline "main" is set: [35] runs of /);
    assert.match((await run(repository, 'baseline', '--list')).stdout, /^main {2}just now · .* · with its sources/);
    const [status, refs] = [repository.git('status', '--porcelain'), repository.git('branch', '--all')];

    write(repository.folder, { 'shop.js': blockingShop(15) });
    const byName = await run(repository, 'recheck', 'quote');
    assert.match(
      byName.stdout,
      /^quote, shop\.js:2: faster, was \d+ → \d+ ms \([\d.–]+( ms)?, \d pairs\)\n$/,
      byName.stderr,
    );
    assert.equal(byName.code, 0);
    const byLine = await run(repository, 'recheck', 'shop.js:4', '--json');
    const [fn] = parseComparison(byLine.stdout).functions;
    assert.deepEqual([fn?.is?.label, fn?.verdict], ['quote', 'faster']);

    write(repository.folder, { 'shop.js': blockingShop(280) });
    assert.equal((await run(repository, 'recheck', 'quote')).code, 1);

    const byCommit = await run(repository, 'recheck', 'quote', '--base', 'HEAD');
    assert.deepEqual([byCommit.code, byCommit.stdout.includes('slower, was')], [1, true], byCommit.stderr);

    const unknown = await run(repository, 'recheck', 'qoute');
    assert.deepEqual([unknown.code, unknown.stderr.includes('Did you mean quote?')], [2, true]);
    const outside = await run(repository, 'recheck', 'shop.js:999');
    assert.deepEqual([outside.code, outside.stderr.includes('is in no function')], [2, true]);

    write(repository.folder, { 'shop.js': 'throw new Error();\n' });
    const broken = await run(repository, 'recheck', 'quote', '--json');
    const answer = parseComparison(broken.stdout);
    assert.deepEqual([broken.code, answer.functions[0]?.verdict], [3, 'notReached']);
    assert.match(answer.warnings.join('\n'), /The command failed on your work tree in 3 of 3 runs/);
    write(repository.folder, { 'shop.js': blockingShop(280) });
    assert.equal(repository.git('branch', '--all'), refs);
    repository.assertClean(` M shop.js\n${status}`);

    const compared = await run(repository, 'compare', '--baseline', 'main', '--json');
    const { base, order, functions } = parseComparison(compared.stdout);
    assert.deepEqual([base.name, order], ['the baseline "main"', 'interleaved'], compared.stderr);
    assert.equal(functions.find(({ is }) => is?.label === 'quote')?.verdict, 'slower');

    await run(repository, 'baseline', '--delete', 'main');
    assert.equal(repository.git('for-each-ref', 'refs/hotspan'), '');
    const gone = await run(repository, 'compare', '--baseline', 'main');
    assert.deepEqual([gone.code, gone.stderr.includes('There is no baseline "main" here')], [2, true]);
  });

  test('without a baseline the last recording is the base, and only twice as long is told', async () => {
    const repository = new Repository(shopFiles);
    await run(repository, 'record', '--quiet', ...tests);
    write(repository.folder, { 'shop.js': blockingShop(15) });
    const { code, stdout, stderr } = await run(repository, 'recheck', 'quote');
    assert.match(stderr, /only a change from twice on can be told/);
    assert.match(stdout, /^quote, .*: faster, was \d+ → \d+ ms \(.*1 and 3 runs\)/);
    assert.equal(code, 0);
  });
});

test('a command out of a recording that somebody else made is never run', async () => {
  const repository = new Repository(shopFiles);
  await run(repository, 'record', '--quiet', ...tests);
  const home = path.join(repository.folder, '.hotspan');
  const [name = ''] = (await run(repository, 'recordings')).stdout.match(/\S*\.hotspan\/\S+/) ?? [];
  const recording = path.resolve(repository.folder, name === '' ? home : name);
  const manifest: unknown = JSON.parse(readFileSync(path.join(recording, 'recording.json'), 'utf8'));
  assert.ok(isRecord(manifest));
  const trap = path.join(newFolder(), 'pwned');
  writeFileSync(path.join(recording, 'recording.json'), JSON.stringify({ ...manifest, command: ['touch', trap] }));
  const compare = ['compare', '--base', 'HEAD', '--recording', recording];
  for (const words of [['recheck', 'quote'], ['baseline'], ['check', '--update'], compare]) {
    const { code, stderr } = await run(repository, ...words);
    assert.equal(code, 2);
    assert.match(stderr, /not by you on this machine/);
  }
  assert.ok(!existsSync(trap));

  // Its own recording, copied into a folder where `npm test` is something else.
  writeFileSync(path.join(recording, 'recording.json'), JSON.stringify({ ...manifest, cwd: path.join(home, '..') }));
  const stranger = new Repository(shopFiles);
  const { code, stderr } = await run(stranger, 'baseline', '--recording', recording);
  assert.equal(code, 2);
  assert.match(stderr, /was recorded in .*: run this there, or give the command after "--"|not by you on this machine/);
});

describe('hotspan check (real clock)', () => {
  test('is green by the budget that it writes, red where that is lowered, and unclear after a rename', async () => {
    const repository = new Repository(shopFiles);
    const file = path.join(repository.folder, 'hotspan.budget.json');
    assert.equal((await run(repository, 'check', '--update', ...tests)).code, 0);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /"node": "\d+\.\d+\.\d+",/);
    // Twice its 70 ms, less what V8's other threads have of them: the processor time of the whole process counts.
    assert.match(text, /"shop\.js#quote": \{\s+"worstMs": 1\d\d\b/);
    const green = await run(repository, 'check', ...tests);
    assert.deepEqual(
      [green.code, /^Within budget \(3 budgets, 1 run\)\.$/m.test(green.stdout)],
      [0, true],
      green.stdout,
    );

    writeFileSync(file, text.replace(/("shop\.js#quote": \{\s+"worstMs": )\d+/, '$130'));
    const red = await run(repository, 'check', ...tests);
    assert.equal(red.code, 1, red.stdout);
    assert.match(red.stdout, /quote {2}shop\.js:2\n.*over its budget of 30 ms in all 3 runs/);
    assert.match(red.stderr, /1 budget exceeded once[\s\S]*^hotspan: Run 3 of 3 … about \d+ s left$/m);

    const renamed = text.replace('shop.js#quote', 'shop.js#qoute');
    writeFileSync(file, renamed);
    const unlisted = await run(repository, 'check', ...tests);
    assert.equal(unlisted.code, 1);
    assert.match(
      unlisted.stdout,
      /any other function \(quote\).*\n.*over the 30 ms that others may take in all 3 runs/,
    );
    writeFileSync(file, renamed.replace(/("whole": \{\s+"worstMs": )\d+/, '$1500'));
    const unclear = await run(repository, 'check', ...tests);
    assert.equal(unclear.code, 3);
    assert.match(unclear.stdout, /shop\.js#qoute[\s\S]*it was renamed or deleted.*Did you mean "shop\.js#quote"\?/);
    assert.match(unclear.stderr, /^hotspan: Run 1 of at most 3 …$/m);
  });
});

test('a given recording of a command that failed is not judged: what did not run has no figures', async () => {
  const repository = new Repository({ 'fails.js': 'process.exitCode = 1;\n' });
  write(repository.folder, { 'hotspan.budget.json': '{ "version": 1, "whole": { "worstMs": 5000 } }' });
  await run(repository, 'record', '--out', 'failed', '--', process.execPath, 'fails.js');
  const { code, stdout, stderr } = await run(repository, 'check', 'failed');
  assert.equal(code, 3, stdout);
  assert.match(
    `${stdout}${stderr}`,
    /The command of \S+failed failed \(exit code 1\), so what did not run was not judged/,
  );
});

test('a budget that cannot be used is said in a sentence', async () => {
  const repository = new Repository(shopFiles);
  const check = async (text: string): Promise<string> => {
    write(repository.folder, { 'hotspan.budget.json': text });
    const { code, stderr } = await run(repository, 'check', ...tests);
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(
    (await run(repository, 'check', ...tests)).stderr,
    /hotspan\.budget\.json is not here: "hotspan check --update/,
  );
  assert.match(await check('{ "version": 1 }'), /has no budget in it/);
  assert.match(await check('{'), /hotspan\.budget\.json:1 is no JSON: /);
  assert.match(await check('{ "version": 2 }'), /is wrong at "version"/);
  assert.match(
    await check('{ "version": 1, "whole": { "worstMs": "x" } }'),
    /is wrong at "whole\.worstMs": it is no number: write milliseconds, such as 200/,
  );
  assert.match(
    await check('{ "version": 1, "files": {\n"src/[": { "worstMs": 5 } } }'),
    /json:2 has a pattern that is not understood, "src\/\[": write one such as/,
  );
});
