import assert from 'node:assert/strict';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { foundElsewhere } from '../../../words/formats/foreign-text.ts';
import { pathToFileURL } from 'node:url';
import { canonicalPath } from '../../../protocol/path-spelling.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { recordShop } from '../../helpers/shop-recording.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const shop = await recordShop();
after(() => shop.remove());
const folder = realpathSync(
  temporaryProject({
    'package.json': '{ "workspaces": ["packages/*"] }',
    'packages/api/src/shop.js': shop.text,
    'packages/web/src/shop.js': "export const page = '<h1>Shop</h1>';\n",
  }),
);
const isWindows = process.platform === 'win32';
const profile = path.join(folder, 'agent.cpuprofile');
const there = String.raw`C:\\agent\\_work\\1\\s\\src\\shop.js`;
writeFileSync(profile, readFileSync(shop.profile, 'utf8').replaceAll(pathToFileURL(shop.file).href, there));

test('a profile of another machine says which option finds its files here', async () => {
  const { code, stderr, stdout } = await runCli(['analyze', profile], { cwd: folder });
  assert.equal(code, 0);
  assert.match(stdout, /^No file of this profile is in /);
  const hint = String.raw`The file of this recording is here under another path: add --map 'C:\agent\_work\1\s=packages/api'`;
  assert.equal(stderr, `hotspan: ${isWindows ? hint.replaceAll("'", '').replace('packages/', 'packages\\') : hint}\n`);
});

test('with --map its figures are those of the files here', async () => {
  const words = ['analyze', profile, '--map', String.raw`C:\agent\_work\1\s=packages/api`];
  const table = await runCli(words, { cwd: folder });
  assert.match(table.stdout, /312 ms worst .* quote {2}packages[/\\]api[/\\]src[/\\]shop\.js:4\n.*JSON\.parse/);
  assert.equal(table.stderr, '');
  const report = parseReport((await runCli([...words, '--json'], { cwd: folder })).stdout);
  const [line] = report.lines;
  assert.deepEqual([line?.url, line?.line], [canonicalPath(path.join(folder, 'packages/api/src/shop.js')), 4]);
});

test('from another folder the target of --map is own code, too', async () => {
  const words = ['analyze', profile, '--map', String.raw`C:\agent\_work\1\s=${folder}/packages/api`];
  const { stdout } = await runCli(words, { cwd: path.dirname(shop.profile) });
  assert.match(stdout, /312 ms worst .* quote /);
});

test('a --map that names no two folders is refused, with an example', async () => {
  for (const wrong of ['app=packages/api', '/app', '/app=', '/=x']) {
    const { code, stderr } = await runCli(['analyze', profile, '--map', wrong], { cwd: folder });
    assert.equal(code, 2);
    assert.ok(stderr.includes(`"--map ${wrong}" names no two folders: write --map /app=packages/api`), stderr);
  }
});

test('a budget knows the functions of a recording of another machine by their files here', async () => {
  const key = 'packages/api/src/shop.js#quote';
  writeFileSync(
    path.join(folder, 'budget.json'),
    JSON.stringify({ version: 1, functions: { [key]: { worstMs: 1000 } } }),
  );
  const words = ['check', profile, '--budget', 'budget.json', '--json'];
  const unmapped = await runCli(words, { cwd: folder });
  assert.match(unmapped.stdout, /"verdict": "unknown"/);
  const mapped = await runCli([...words, '--map', String.raw`C:\agent\_work\1\s=packages/api`], { cwd: folder });
  assert.match(mapped.stdout, /"verdict": "within"/, mapped.stderr);
});

test('--map without a recording to read is refused', async () => {
  const map = ['--map', '/app=packages/api'];
  for (const words of [['check'], ['compare', '--base', 'main'], ['recheck', 'src/shop.js:4']]) {
    const { code, stderr } = await runCli([...words, ...map], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /--map is for (a )?recordings?/);
  }
});

test('of the files that are elsewhere, one is and several are', () => {
  const texts = [1, 2].map((found) => foundElsewhere({ files: 3, found, rules: [], others: [] }));
  assert.deepEqual(texts, ['1 of 3 files of this recording is', '2 of 3 files of this recording are']);
});
