import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parseComparison } from '../helpers/report-schema.ts';
import { blockingShop, shopFiles, work } from '../helpers/blocking-shop.ts';
import { freePort } from '../helpers/free-port.ts';
import { type CliOptions, runCli } from '../helpers/run-cli.ts';
import { newFolder, Repository, write } from '../helpers/temporary-repository.ts';

const tests = ['--', process.execPath, '--test', 'shop.test.js'];
const inOneProcess = ['--', process.execPath, '--test', '--test-isolation=none', 'shop.test.js'];
const nothing = ['--', process.execPath, '-e', '0'];

/** Compares with the commit, until it says the sentence, and stops it as Ctrl+C does. */
const stoppedAt = async (
  sentence: string,
  repository: Repository,
  words: readonly string[],
  options: CliOptions = {},
) =>
  repository.run(['compare', '--base', 'HEAD', ...words], {
    ...options,
    onStderr: (said, child) => said.includes(sentence) && child.kill('SIGINT'),
  });

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

// Verdicts are tested on recordings in test/cli/commands/compare.test.ts, and live in lab/nightly/verify-live.test.ts.
test('hotspan compare --base has nothing to judge where only comments and Markdown differ, and runs nothing', async () => {
  const repository = new Repository(shopFiles);
  write(repository.folder, { 'shop.js': `// why\n${shopFiles['shop.js']}`, 'notes.md': 'new' });
  // Files that Hotspan has written do not count as a difference.
  write(repository.folder, { 'hotspan.budget.json': '{}', 'rec/recording.json': '{}', 'rec/events.jsonl': '{}' });
  const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', ...tests);
  const sentence = 'No code differs from HEAD: there is nothing to judge.';
  assert.deepEqual([code, stdout, stderr], [0, `${sentence}\n`, '']);
  const asJson = await repository.compare('--base', 'HEAD', '--json', ...tests);
  const { warnings, functions, head } = parseComparison(asJson.stdout);
  assert.deepEqual([warnings, functions, head.runs], [[sentence], [], []]);
  write(repository.folder, { 'data/recording.json': '{}' });
  assert.match((await stoppedAt('Pair 1 of 3', repository, nothing)).stderr, /Pair 1 of 3/, "the program's own");
  repository.assertClean(' M shop.js\n?? data/\n?? hotspan.budget.json\n?? notes.md\n?? rec/\n');
});

test('hotspan compare --base runs both sides in turn, more often where a change is in doubt, and leaves the repository as it was', async () => {
  const shop = (ms: number | string): string => `${work('quote', ms)}module.exports = { quote, rank: () => 0 };\n`;
  const repository = new Repository({ ...shopFiles, 'shop.js': shop(70) });
  const runs = JSON.stringify(path.join(repository.temporary, 'runs'));
  // Of the first three runs the quickest is quicker than the base, which may take twice its 70 ms on a busy machine.
  const ms = `const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(${runs}, '.');
const ms = [2, 300, 320][readFileSync(${runs}).length - 1] ?? 350;\n`;
  write(repository.folder, { 'shop.js': ms + shop('ms') });
  const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', '--json', ...inOneProcess);
  // On a machine that stands still now and then, the runs differ too much to say.
  assert.ok(code === 1 || code === 3, stderr);
  const { functions, order, base, head } = parseComparison(stdout);
  assert.deepEqual([order, base.name, head.runs.length, base.runs.length], ['interleaved', 'HEAD', 8, 8]);
  const quote = functions.find(({ is }) => is?.label === 'quote');
  const verdict = code === 1 ? 'slower' : 'tooNoisy';
  assert.deepEqual([quote?.verdict, quote?.textChanged, quote?.worst.isUs.length], [verdict, true, 8]);
  assert.match(stderr, /: 1 possible change to make sure of, by 1 test file …\n.*Confirming pair 1 of 5 …/);
  assert.match(stderr, /Pair 1 of 3 …\n.*Pair 2 of 3 … about \d+ s left\n.*Pair 3 of 3 … about \d+ s left\n/);
  for (const { path: recording } of [...base.runs, ...head.runs]) assert.ok(existsSync(recording), recording);
  repository.assertClean(' M shop.js\n');
});

test('hotspan compare --load sends both sides of a server the same, also if it opens another port first, and stops them', async () => {
  const port = await freePort();
  const server = (path: string): string =>
    `const http = require('node:http');
    http.createServer((_, to) => to.end('metrics')).listen(0);
    const app = http.createServer(({ url }, to) => to.writeHead(url === '${path}' ? 200 : 404).end());
    setTimeout(() => app.listen(${port}), 300);\n`;
  const requests = `GET http://localhost:${port}/new\n`;
  const repository = new Repository({ 'server.js': server('/'), 'requests.http': requests });
  write(repository.folder, { 'server.js': server('/new') });
  const options = ['--load-file', 'requests.http', '--amount', '6', '--connections', '2', '--warm-up', '0s', '--json'];
  const run = await stoppedAt('Pair 2 of 3', repository, [...options, '--', process.execPath, 'server.js']);
  assert.equal(run.code, 3, run.stderr);
  const [request, ...others] = parseComparison(run.stdout).requests ?? [];
  assert.deepEqual([request?.title, request?.verdict, others], ['GET /new', 'notCompared', []]);
  const counts = [request?.was.refused, request?.is.refused, request?.is.answers];
  assert.equal(JSON.stringify(counts), '[[6],[0],[6]]');
  repository.assertClean(' M server.js\n');
});

test('hotspan compare --load refuses what listens on one side alone, and a file that is not there', async () => {
  const server = "require('node:http').createServer().listen(0);\n";
  const repository = new Repository({ 'server.js': '' });
  write(repository.folder, { 'server.js': server });
  const compare = async (...load: readonly string[]) =>
    repository.compare('--base', 'HEAD', ...load, '--', process.execPath, 'server.js');
  const silent = await compare('--load', '/');
  assert.deepEqual([silent.code, silent.stdout], [2, '']);
  assert.match(silent.stderr, /On the base: The command was not seen to listen, so it got no requests\. .*base-1\.log/);
  const none = await compare('--load-file', 'none.http');
  assert.match(none.stderr, /none\.http cannot be read: name a \.http, \.rest or OpenAPI file\./);
  repository.assertClean(' M server.js\n');
});

describe('hotspan compare --base refuses', () => {
  test('a commit that there is not, and a folder without git', async () => {
    const repository = new Repository(shopFiles);
    const none = await repository.compare('--base', 'no-such-branch', ...nothing);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /There is no commit "no-such-branch" in .*git branch -a.* there is\.\n$/);
    assert.equal((await repository.compare('--base', '--output=x', ...nothing)).code, 2);
    repository.assertClean();
    const outside = await runCli(['compare', '--base', 'HEAD', ...nothing], { cwd: newFolder() });
    assert.match(`${outside.code} ${outside.stderr}`, /^2 .*is not in a git repository, which has the sources/);
  });

  test('what cannot be started, with nothing left behind: in no folder for temporary files, or no command', async () => {
    const repository = new Repository(shopFiles);
    write(repository.folder, { 'new.js': '' });
    const words = ['compare', '--base', 'HEAD', ...nothing];
    const homeless = await repository.run(words, { env: { TMPDIR: '/nowhere' } });
    const set = /temporary files, \/nowhere, cannot be written to \(ENOENT\): set TMPDIR to one that can\.$/m;
    assert.match(homeless.stderr, set);
    const { code, stderr } = await repository.compare('--base', 'HEAD', '--', 'no-such-command');
    assert.deepEqual([homeless.code, code], [2, 2]);
    assert.match(stderr, /Cannot start no-such-command/);
    repository.assertClean('?? new.js\n');
  });

  test('a base whose --setup fails, and says where its output is', async () => {
    const repository = new Repository(shopFiles);
    const setup = ['--setup', 'echo why; exit 7'];
    const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', ...setup, ...nothing);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^hotspan: Preparing HEAD \(your files run as they are\): echo why; exit 7 …$/m);
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
    const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', ...nothing);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /Installing the dependencies of HEAD \(they are others than yours\)/);
    assert.match(stderr, /npm error[^]*The base could not be prepared: "npm ci .*prepare\.log.* by --install\./);
    const given = await stoppedAt('Pair 1 of 3', repository, ['--install', 'mkdir node_modules', ...nothing]);
    assert.match(given.stderr, /Pair 1 of 3/);
    repository.assertClean(' M package-lock.json\n');
  });
});

describe('hotspan compare --base', () => {
  test('says on which side the command fails, and compares what ran', async () => {
    const repository = new Repository({ 'main.js': '' });
    write(repository.folder, { 'main.js': 'process.exitCode = 1;\n' });
    const { code, stdout, stderr } = await repository.compare('--base', 'HEAD', '--', process.execPath, 'main.js');
    assert.equal(code, 3);
    assert.match(inOneLine(stdout), /failed on your work tree in 3 of 3 .* That is why the exit code is 3\./);
    assert.match(stderr, /failed on your work tree in 3 of 3 runs \(exit code 1\).*head-1\.log/);
    assert.doesNotMatch(stderr, /failed on HEAD/);
    repository.assertClean(' M main.js\n');
  });

  test('says on which side something was not recorded, and that nothing is certain then', async () => {
    const killed = "require('node:child_process').execSync('kill -9 ' + process.pid);\n";
    const repository = new Repository({ 'main.js': '', 'killed.js': killed });
    const start = "require('node:child_process').spawn(process.execPath, ['killed.js']);\n";
    write(repository.folder, { 'main.js': start });
    const { code, stdout } = await stoppedAt('Pair 2 of 3', repository, ['--', process.execPath, 'main.js']);
    assert.equal(code, 3);
    const said =
      /Figures may be missing on your work tree in 1 of 1 run: "hotspan analyze \S+head-1" says .* code is 3\./;
    assert.match(inOneLine(stdout), said);
    assert.doesNotMatch(stdout, /missing on HEAD/);
  });

  test('runs no hook of the repository', async () => {
    const repository = new Repository(shopFiles);
    const hook = path.join(repository.folder, '.git/hooks/post-index-change');
    const script = '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/ran"\n';
    write(repository.folder, { '.git/hooks/post-index-change': script });
    chmodSync(hook, 0o755);
    write(repository.folder, { 'shop.js': blockingShop(15) });
    assert.match((await stoppedAt('Pair 1 of 3', repository, nothing)).stderr, /Pair 1 of 3/);
    assert.equal(existsSync(path.join(repository.folder, '.git/ran')), false);
    repository.assertClean(' M shop.js\n');
  });

  test('keeps what is recorded when it is stopped half-way, and says so', async () => {
    const repository = new Repository({ 'main.js': 'setTimeout(() => console.log("done"), 200);\n' });
    write(repository.folder, { 'main.js': 'setTimeout(() => console.log("done"), 210);\n' });
    const main = ['--', process.execPath, 'main.js'];
    const { code, stdout, stderr } = await stoppedAt('Pair 2 of 3', repository, main);
    assert.equal(code, 3, stderr);
    assert.match(stdout, /ended after 1 pair, before all changes were confirmed/);
    const out = /Its recordings are in (\/\S+)\./.exec(stdout)?.[1] ?? '';
    for (const side of ['base-1', 'head-1']) assert.ok(existsSync(path.join(out, side, 'recording.json')), side);
    repository.assertClean(' M main.js\n');
  });
});

test('Ctrl+C while the base is prepared is not a fault of what prepares it', async () => {
  const repository = new Repository(shopFiles);
  // The signal comes from what prepares the base, to the whole group of the command line, whose number is its pid.
  const words = ['compare', '--base', 'HEAD', '--setup', 'kill -s INT -- -$PPID; exit 130', ...tests];
  const { code, stderr } = await repository.run(words, { detached: true });
  assert.match(
    `${code} ${stderr}`,
    /^3 [^]*exit 130 …\nhotspan: It was stopped while the base was prepared: nothing was run\.\n$/,
  );
  repository.assertClean();
});

test('what is left of a comparison that was killed is deleted by the next one', async () => {
  const repository = new Repository(shopFiles);
  write(repository.folder, { 'shop.js': blockingShop(15) });
  await repository.run(['compare', '--base', 'HEAD', ...tests], {
    onStderr: (said, child) => said.includes('Pair 1 of 3') && child.kill('SIGKILL'),
  });
  await stoppedAt('Pair 1 of 3', repository, nothing);
  repository.assertClean(' M shop.js\n');
});

test('the base has its own packages of the repository, never those of the head, and its own variables of its folder', async () => {
  const source = (side: string): string =>
    `const ofNpm = Object.keys(process.env).some((name) => name.startsWith('npm_package_'));
const seen = [process.cwd(), '${side}', __filename, process.env.PWD, ofNpm];
require('node:fs').appendFileSync(process.env.SEEN, seen.join(' ') + '\\n');\n`;
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
  const ofNpm = { npm_execpath: '/npm', npm_command: 'run-script', npm_package_version: '1.0.0' };
  const words = ['compare', '--base', 'HEAD', '--', process.execPath, 'main.js'];
  const { stderr } = await repository.run(words, { env: { SEEN: seen, PWD: repository.folder, ...ofNpm } });
  const loads = readFileSync(seen, 'utf8').trim().split('\n');
  const sides = loads.map((line) => {
    const [cwd = '', side = '', file = '', pwd, hasNpm] = line.split(' ');
    assert.equal(side, cwd === repository.folder ? 'head' : 'base');
    assert.ok(file.startsWith(`${cwd}/packages/lib/`), line);
    assert.deepEqual([pwd, hasNpm], [cwd, 'false']);
    return side;
  });
  assert.deepEqual(sides, ['base', 'head', 'head', 'base', 'base', 'head'], stderr);
  repository.assertClean(' M packages/lib/index.js\n');
});

test('packages in a folder above a package, which has no manifest itself, are in the base, too', async () => {
  const repository = new Repository({
    'app/package.json': '{ "name": "app" }',
    'app/lib/main.js': "require('./a'); require('root-package'); require('lib-package');\n",
    'app/lib/a.js': 'exports.side = 1;\n',
  });
  const empty = { 'index.js': '', 'package.json': '{ "version": "1.0.0" }' };
  for (const folder of ['node_modules/root-package', 'app/lib/node_modules/lib-package'])
    write(path.join(repository.folder, folder), empty);
  write(repository.folder, { 'app/lib/a.js': 'exports.side = 2;\n' });
  const cwd = path.join(repository.folder, 'app', 'lib');
  const { code, stderr } = await stoppedAt('Pair 2 of 3', repository, ['--', process.execPath, 'main.js'], { cwd });
  assert.equal(code, 3, stderr);
  assert.match(stderr, /Pair 2 of 3/);
  assert.doesNotMatch(stderr, /The command failed/);
  repository.assertClean(' M app/lib/a.js\n');
});
