import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { diskWorld } from '../../recordings/disk-world.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const isWindows = process.platform === 'win32';
const isLinux = process.platform === 'linux';

describe('the files of this machine', () => {
  const folder = temporaryProject({ 'a.txt': 'hello', 'inner/b.txt': '' });
  symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'dangling'));

  test('a file is its bytes', async () => {
    assert.equal(new TextDecoder().decode(await diskWorld.readFile(path.join(folder, 'a.txt'))), 'hello');
  });

  test('what is missing or a folder is undefined', async () => {
    assert.equal(await diskWorld.readFile(path.join(folder, 'b.txt')), undefined);
    assert.equal(await diskWorld.readFile(folder), undefined);
    assert.equal(await diskWorld.listFiles(path.join(folder, 'b')), undefined);
    assert.equal(await diskWorld.listFiles(path.join(folder, 'a.txt')), undefined);
  });

  test('a folder lists its plain files with their sizes, and nothing deeper', async () => {
    assert.deepEqual(await diskWorld.listFiles(folder), [{ name: 'a.txt', size: 5 }]);
  });

  test('a file that gets an old time of writing has changed now', async () => {
    const file = path.join(folder, 'installed');
    await writeFile(file, '');
    await utimes(file, 0, 0);
    const { mtimeMs } = await stat(path.join(folder, 'a.txt'));
    assert.ok(((await diskWorld.changedAt?.(file)) ?? 0) >= mtimeMs);
    assert.equal(await diskWorld.changedAt?.(path.join(folder, 'nowhere')), undefined);
  });

  test('a long file comes in pieces that together are its bytes', async () => {
    const content = Uint8Array.from({ length: 5_000_001 }, (_, index) => index % 251);
    await writeFile(path.join(folder, 'long'), content);
    const pieces: Uint8Array[] = [];
    // Copies: asking for the next piece may overwrite the one before.
    for await (const piece of (await diskWorld.readChunks?.(path.join(folder, 'long'))) ?? [])
      pieces.push(piece.slice());
    assert.ok(pieces.length > 1);
    assert.deepEqual(Buffer.concat(pieces), Buffer.from(content));
  });

  test('while a long file is read, other things happen: cancelling arrives before its end', async () => {
    await writeFile(path.join(folder, 'longer'), new Uint8Array(20_000_000));
    const happened: string[] = [];
    for await (const _ of (await diskWorld.readChunks?.(path.join(folder, 'longer'))) ?? []) {
      if (happened.length === 0) setImmediate(() => happened.push('cancelled'));
      happened.push('piece');
    }
    const at = happened.indexOf('cancelled');
    assert.ok(at > 0 && at < happened.length / 2);
    assert.notEqual(happened.indexOf('cancelled'), -1);
  });

  test('a device that never ends, or a pipe to which nobody writes, is not a file', { skip: isWindows }, async () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    assert.equal(await diskWorld.readFile(path.join(folder, 'pipe')), undefined);
    assert.equal(await diskWorld.readFile('/dev/zero'), undefined);
  });

  test('what the kernel makes up is empty, and is not read: it may wait for ever', { skip: !isLinux }, async () => {
    assert.deepEqual(await diskWorld.readFile('/proc/self/status'), new Uint8Array(0));
  });

  test('a file of more bytes than are wanted is none', async () => {
    await writeFile(path.join(folder, 'five'), '12345');
    assert.equal(await diskWorld.readFile(path.join(folder, 'five'), 4), undefined);
    assert.equal((await diskWorld.readFile(path.join(folder, 'five'), 5))?.length, 5);
  });

  test('a path with a null byte is not a file', async () => {
    assert.equal(await diskWorld.readFile('a\0b'), undefined);
    assert.equal(await diskWorld.listFiles('a\0b'), undefined);
  });
});
