import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { cacheFolder } from '../../recorder/launch/cache-folder.ts';
import { installRecorder } from '../../recorder/launch/recorder-copy.ts';

function folder(t: test.TestContext): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'hotspan-copy-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

test('each version of the recorder has a copy that stays, until nothing has used it for 90 days', async (t) => {
  const home = folder(t);
  const bundled = path.join(home, 'bundled.js');
  writeFileSync(bundled, 'one');
  const one = await installRecorder(bundled, home, {});
  writeFileSync(bundled, 'two');
  const two = await installRecorder(bundled, home, {});
  assert.deepEqual(
    [one, two].map((file) => readFileSync(file, 'utf8')),
    ['one', 'two'],
  );

  const long = new Date(Date.now() - 91 * 24 * 3600 * 1000);
  utimesSync(one, long, long);
  await installRecorder(bundled, home, {});
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith('recorder-')),
    [path.basename(two)],
  );
});

test('where no copy can be made the bundled file itself is used', async (t) => {
  const bundled = path.join(folder(t), 'bundled.js');
  writeFileSync(bundled, 'one');
  assert.equal(await installRecorder(bundled, path.join(bundled, 'below a file'), {}), bundled);
});

test('the copy lies in the cache folder of the system', () => {
  assert.equal(cacheFolder('linux', {}, '/me'), '/me/.cache/hotspan');
  assert.equal(cacheFolder('linux', { XDG_CACHE_HOME: '/cache' }, '/me'), '/cache/hotspan');
  assert.equal(cacheFolder('darwin', {}, '/me'), '/me/Library/Caches/hotspan');
});
