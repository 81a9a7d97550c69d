import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { parseComparison } from '../helpers/report-schema.ts';
import { blockingShop, shopFiles } from '../helpers/blocking-shop.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { newFolder, Repository, write } from '../helpers/temporary-repository.ts';

const slowerTests = ['--', process.execPath, '--test', 'shop.test.js'];

describe('hotspan compare --base (real clock)', () => {
  test('finds the fix in a dirty tree, confirms it, and prints what the schema says', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'shop.js': blockingShop(15) });
    const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', '--json', ...slowerTests);
    assert.equal(code, 0, stderr);
    const { functions, order, base, head } = parseComparison(stdout);
    const quote = functions.find(({ is }) => is?.label === 'quote');
    assert.deepEqual(
      [order, quote?.verdict, quote?.confirmed, quote?.textChanged],
      ['interleaved', 'faster', true, true],
    );
    assert.deepEqual([base.name, base.runs.length, head.runs.length], ['HEAD', 6, 6]);
    assert.match(
      stderr,
      /Pair 1 of 3 …\n.*Pair 2 of 3 … about \d+ s left\n.*Pair 3 of 3 … about \d+ s left\n[\s\S]*1 change to confirm/,
    );
    for (const { path: recording } of [...base.runs, ...head.runs]) assert.ok(existsSync(recording), recording);
    repository.assertClean(' M shop.js\n');
  });

  test('a tree that is slower is red, and its Markdown says by how much', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'shop.js': blockingShop(280) });
    const { code, stdout } = await repository.compare('--base', 'main', '--markdown', ...slowerTests);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /\| \*\*slower\*\* \| \d+ → \d+ ms .*6 pairs\) \| quote \|/);
    repository.assertClean(' M shop.js\n');
  });

  test('says of an unchanged tree that nothing differs', async () => {
    const repository = new Repository(shopFiles);
    const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', ...slowerTests);
    assert.match(stderr, /Nothing differs from HEAD/);
    assert.ok(code === 0 || code === 3, stdout);
    repository.assertClean();
  });
});

describe('hotspan compare --base refuses', () => {
  const short = ['--', process.execPath, '-e', '0'];

  test('a commit that there is not, and a folder without git', async () => {
    const repository = new Repository(shopFiles);
    const none = await repository.compare('--base', 'no-such-branch', ...short);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /There is no commit "no-such-branch" in .*git branch -a/);
    const option = await repository.compare('--base', '--output=x', ...short);
    assert.equal(option.code, 2);
    repository.assertClean();
    const outside = await runCli(['compare', '--base', 'HEAD', ...short], { cwd: newFolder() });
    assert.equal(outside.code, 2);
    assert.match(outside.stderr, /is in no git repository, which keeps the sources/);
  });

  test('a command that does not exist, with nothing left behind', async () => {
    const repository = new Repository(shopFiles);
    const { code, stderr } = await repository.compare('--base', 'HEAD', '--', 'no-such-command');
    assert.equal(code, 2);
    assert.match(stderr, /Cannot start no-such-command/);
    repository.assertClean();
  });

  test('a base whose --setup fails, and says where its output is', async () => {
    const repository = new Repository(shopFiles);
    const { code, stdout, stderr } = await repository.compare(
      '--base',
      'HEAD',
      '--setup',
      'echo why; exit 7',
      ...short,
    );
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^hotspan: Preparing HEAD: echo why; exit 7 …$/m);
    const log = /ended with exit code 7 there\. .* (\/\S+prepare\.log)\./.exec(stderr)?.[1] ?? '';
    assert.equal(readFileSync(log, 'utf8'), 'why\n');
    repository.assertClean();
  });

  test('a base with other dependencies that cannot be installed by its lockfile is installed as --install says', async () => {
    const lock = (version: string): string =>
      JSON.stringify({
        ...{ name: 'shop', lockfileVersion: 3 },
        packages: {
          '': { dependencies: { 'left-pad': version } },
          'node_modules/left-pad': { version, resolved: `http://127.0.0.1:9/left-pad-${version}.tgz` },
        },
      });
    const manifest = '{ "name": "shop", "dependencies": { "left-pad": "1.0.0" } }';
    const repository = new Repository({ ...shopFiles, 'package.json': manifest, 'package-lock.json': lock('1.0.0') });
    write(repository.folder, {
      'package-lock.json': lock('1.1.0'),
      'node_modules/left-pad/package.json': '{ "name": "left-pad", "version": "1.1.0" }',
    });
    const { code, stderr } = await repository.compare('--base', 'HEAD', ...short);
    assert.equal(code, 2);
    assert.match(stderr, /Installing the dependencies of HEAD \(they are others than yours\)/);
    assert.match(stderr, /The base could not be prepared: "npm ci .*prepare\.log.* by --install\./);
    const given = await repository.compare('--base', 'HEAD', '--install', 'mkdir node_modules', ...short);
    assert.equal(given.code, 0, given.stderr);
    repository.assertClean(' M package-lock.json\n');
  });
});

describe('hotspan compare --base', () => {
  test('says on which side the tests fail, and compares what ran', async () => {
    const repository = new Repository(shopFiles);
    const failing = `${shopFiles['shop.test.js']}test('fails', () => { throw new Error('no'); });\n`;
    write(repository.folder, { 'shop.test.js': failing });
    const { code, stderr } = await repository.compare('--base', 'HEAD', ...slowerTests);
    assert.notEqual(code, 2);
    assert.match(stderr, /failed on your work tree in 3 of 3 runs \(exit code 1\).*head-1\.log/);
    assert.doesNotMatch(stderr, /failed on HEAD/);
    repository.assertClean(' M shop.test.js\n');
  });

  test('runs no hook of the repository', async () => {
    const repository = new Repository(shopFiles);
    const hook = path.join(repository.folder, '.git/hooks/post-checkout');
    write(repository.folder, {
      '.git/hooks/post-checkout': '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/ran"\n',
    });
    chmodSync(hook, 0o755);
    await repository.compare('--base', 'HEAD', '--', process.execPath, '-e', '0');
    assert.equal(existsSync(path.join(repository.folder, '.git/ran')), false);
    repository.assertClean();
  });

  test('keeps what is recorded when it is stopped half-way, and says so', async () => {
    const repository = new Repository({ 'main.js': 'setTimeout(() => console.log("done"), 200);\n' });
    const stopAt = async (sentence: string): Promise<CliRun> => {
      const words = [projectFile('dist/cli.cjs'), 'compare', '--base', 'HEAD', '--', process.execPath, 'main.js'];
      const env = { ...repository.env, NODE_TEST_CONTEXT: undefined };
      const child = spawn(process.execPath, words, { cwd: repository.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const said: string[] = [];
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        said.push(chunk);
        if (said.join('').includes(sentence)) child.kill('SIGINT');
      });
      const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
      return { code: child.exitCode, signal: child.signalCode, stdout, stderr: said.join('') };
    };
    const second = await stopAt('Pair 2 of 3');
    assert.equal(second.code, 3, second.stderr);
    assert.match(second.stdout, /ended after 1 pair, before changes were confirmed/);
    const out = /Its recordings are in (\/\S+)\./.exec(second.stdout)?.[1] ?? '';
    assert.ok(
      existsSync(path.join(out, 'base-1/recording.json')) && existsSync(path.join(out, 'head-1/recording.json')),
    );
    const first = await stopAt('Pair 1 of 3');
    assert.equal(first.code, 3, first.stderr);
    assert.match(first.stderr, /stopped before anything could be said/);
    repository.assertClean();
  });
});

test('Ctrl+C while the base is prepared is no fault of what prepares it', async () => {
  const repository = new Repository(shopFiles);
  const words = ['compare', '--base', 'HEAD', '--setup', 'sleep 20', ...slowerTests];
  // A group of its own, as a shell starts it: Ctrl+C reaches all processes of the group.
  const child = spawn(process.execPath, [projectFile('dist/cli.cjs'), ...words], {
    ...{ cwd: repository.folder, env: { ...repository.env, NODE_TEST_CONTEXT: undefined } },
    ...{ stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.push(chunk);
    if (chunk.includes('Preparing HEAD')) setTimeout(() => process.kill(-(child.pid ?? NaN), 'SIGINT'), 300);
  });
  await once(child, 'close');
  assert.equal(child.exitCode, 3);
  assert.match(said.join(''), /sleep 20 …\nhotspan: It was stopped while the base was prepared: nothing was run\.\n$/);
  repository.assertClean();
});

test('the work tree of a comparison that was killed is deleted by the next one', async () => {
  const repository = new Repository(shopFiles);
  const words = [projectFile('dist/cli.cjs'), 'compare', '--base', 'HEAD', ...slowerTests];
  const child = spawn(process.execPath, words, { cwd: repository.folder, env: repository.env, stdio: 'ignore' });
  while (!repository.git('worktree', 'list').includes('hotspan-base-')) await delay(20);
  child.kill('SIGKILL');
  await once(child, 'close');
  await repository.compare('--base', 'HEAD', '--', process.execPath, '-e', '0');
  repository.assertClean();
});

describe('the base of hotspan compare', () => {
  test('has its own packages of the repository, never those of the head', async () => {
    const source = (side: string): string =>
      `require('node:fs').appendFileSync(process.env.SEEN, process.cwd() + ' ${side} ' + __filename + '\\n');\n`;
    const repository = new Repository({
      'package.json': '{ "name": "root", "private": true, "workspaces": ["packages/*"] }',
      'main.js': "require('lib');\n",
      'packages/lib/package.json': '{ "name": "lib", "version": "1.0.0" }',
      'packages/lib/index.js': source('base'),
    });
    mkdirSync(path.join(repository.folder, 'node_modules'));
    symlinkSync('../packages/lib', path.join(repository.folder, 'node_modules/lib'));
    write(repository.folder, { 'packages/lib/index.js': source('head') });
    const seen = path.join(repository.temporary, 'seen.txt');
    const words = ['compare', '--base', 'HEAD', '--', process.execPath, 'main.js'];
    const { stderr } = await runCli(words, { cwd: repository.folder, env: { ...repository.env, SEEN: seen } });
    assert.match(stderr, /packages of the repository are linked/);
    const loads = readFileSync(seen, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    assert.equal(loads.length, 6, stderr);
    for (const [cwd = '', side, file = ''] of loads) {
      assert.equal(side, cwd === repository.folder ? 'head' : 'base');
      assert.ok(file.startsWith(`${cwd}/packages/lib/`), `${file} in ${cwd}`);
    }
    assert.deepEqual(
      loads.map(([, side]) => side),
      ['base', 'head', 'head', 'base', 'base', 'head'],
    );
    repository.assertClean(' M packages/lib/index.js\n');
  });

  test('is told where it runs', async () => {
    const repository = new Repository({
      'main.js':
        'require("node:fs").appendFileSync(process.env.SEEN, process.env.PWD === process.cwd() ? "same " : `${process.env.PWD} `);\n',
    });
    const seen = path.join(repository.temporary, 'seen.txt');
    const env = { ...repository.env, SEEN: seen, PWD: repository.folder };
    await runCli(['compare', '--base', 'HEAD', '--', process.execPath, 'main.js'], { cwd: repository.folder, env });
    assert.equal(readFileSync(seen, 'utf8'), 'same '.repeat(6));
  });
});
