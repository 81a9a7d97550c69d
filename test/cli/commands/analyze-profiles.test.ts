import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { recordShop } from '../../helpers/shop-recording.ts';
import { type CliRun, runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const folder = temporaryProject({});
const shop = await recordShop();
after(shop.remove);

/** In an empty folder. */
const hotspan = async (...words: readonly string[]): Promise<CliRun> => runCli(words, { cwd: folder });

const damaged = {
  empty: '',
  truncated: '{"nodes":[{"id":1,',
  foreign: '{"name":"x"}',
  text: 'hello',
  binary: '\0\u0001\u001B[2J',
};
for (const [name, content] of Object.entries(damaged)) {
  test(`refuses a profile that is ${name} with one sentence`, async () => {
    const file = path.join(folder, `${name}.cpuprofile`);
    await writeFile(file, content);
    const { code, stdout, stderr } = await hotspan('analyze', file);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, new RegExp(`^.*${name}\\.cpuprofile .*(record again|give a|record the program).*\n$`));
  });
}

test('shows the good part, and what is damaged', async () => {
  const mixed = await mkdtemp(path.join(folder, 'mixed-'));
  await copyFile(shop.profile, path.join(mixed, 'good.cpuprofile'));
  await writeFile(path.join(mixed, 'bad.cpuprofile'), (await readFile(shop.profile)).subarray(0, 500));
  const { code, stdout } = await runCli(['analyze', mixed], { cwd: shop.folder });
  assert.equal(code, 0);
  assert.match(stdout, /≈312 ms worst .* quote {2}src[/\\]shop\.js:4/);
  assert.match(stdout, /! bad\.cpuprofile is cut off/);
});

test('says what to do with a profile of another project', async () => {
  const { code, stdout } = await hotspan('analyze', shop.profile);
  assert.equal(code, 0);
  assert.match(stdout, /^No file of this profile is in .*--root/);
  const there = await hotspan('analyze', shop.profile, '--root', shop.folder);
  assert.match(there.stdout, / quote /);
});

test('a hostile name prints nothing that a terminal obeys', async () => {
  const hostile = await recordShop('\u001B[2J\u001B]0;title\u0007\u009B1mquote\n');
  const { stdout, stderr } = await runCli(['analyze', hostile.profile], { cwd: hostile.folder });
  await hostile.remove();
  assert.match(stdout, /312 ms worst/);
  assert.doesNotMatch((stdout + stderr).replaceAll('\n', ''), /\p{Cc}/u);
});
