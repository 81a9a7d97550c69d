import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../../protocol/machine-path.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const isWindows = process.platform === 'win32';

describe('files that scripts and comments name', async () => {
  // The recorder takes these before anything else can: here the test is first.
  const reallyOpen = fs.openSync;
  const stat = mock.method(fs, 'statSync');
  const open = mock.method(fs, 'openSync');
  const { readPlainFile } = await import('../../recorder/preload/host/plain-file.ts');
  const asked = (): readonly unknown[] => [...stat.mock.calls, ...open.mock.calls].map((one) => one.arguments[0]);
  const folder = temporaryProject({ five: '12345', empty: '' });
  const read = (name: string, most = 100): unknown => {
    const file = readPlainFile(path.join(folder, name), most);
    return file === null || file === 'large' ? file : file.text;
  };

  test('a file is its text, up to a size', () => {
    assert.deepEqual(
      [read('five', 5), read('five', 4), read('empty'), read('none'), read('.')],
      ['12345', 'large', '', null, null],
    );
  });

  test('a pipe and a device are not opened', { skip: isWindows }, () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    open.mock.resetCalls();
    assert.equal(read('pipe'), null);
    assert.equal(readPlainFile('/dev/zero', 100), null);
    assert.equal(open.mock.callCount(), 0);
  });

  test('a pipe that has come in place of a file is not waited for', { skip: isWindows }, () => {
    fs.writeFileSync(path.join(folder, 'later'), '12345');
    open.mock.mockImplementationOnce((file, ...how) => {
      fs.rmSync(file);
      execFileSync('mkfifo', [String(file)]);
      return reallyOpen(file, ...how);
    });
    assert.equal(read('later'), null);
  });

  test('what the kernel makes up is not read', { skip: process.platform !== 'linux' }, () => {
    stat.mock.resetCalls();
    assert.equal(readPlainFile('/proc/self/status', 100), null);
    assert.deepEqual(stat.mock.calls, []);
  });

  for (const name of [
    '//evil.example/share/x.map',
    '\\\\evil.example\\share\\x.map',
    '/net/evil.example/x.map',
    '\\\\.\\pipe\\x',
    '/??/UNC/evil/x',
  ]) {
    test(`${name} is not even looked at`, () => {
      stat.mock.resetCalls();
      open.mock.resetCalls();
      assert.equal(readPlainFile(name, 100), null);
      assert.deepEqual(asked(), []);
    });
  }
});

/** As Node on Windows takes it; null where that is not a path there. */
function onWindows(comment: string, script: string): string | null {
  try {
    return fileURLToPath(new URL(comment, script), { windows: true });
  } catch {
    return null;
  }
}

test('what a comment in a script on Windows makes of another host is none of this machine', () => {
  const script = 'file:///C:/app/dist/a.js';
  for (const start of ['//', '\\\\', 'file://', '/\\', 'file:\\\\', 'file:////', 'file://///']) {
    const place = onWindows(`${start}evil.example/share/x.map`, script);
    assert.ok(place === null || !isWithin(place, ['C:\\app']), start);
  }
  assert.ok(isWithin(onWindows('a.js.map', script) ?? '//', ['C:\\app']));
  const shared = onWindows('a.js.map', 'file://server/projects/shop/a.js') ?? assert.fail();
  assert.ok(isWithin(shared, ['\\\\server\\projects\\shop']));
  assert.ok(!isWithin(shared, ['C:\\app']));
});
