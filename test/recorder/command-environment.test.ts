import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { microseconds } from '../../protocol/units.ts';
import { commandEnvironment } from '../../recorder/launch/run/command-line.ts';

const injection = {
  directory: '/rec',
  recorderFile: '/cache/recorder-0123456789ab.cjs',
  intervalUs: microseconds(500),
  shim: null,
  ownBin: '/tool/node_modules/.bin',
};

const made = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => commandEnvironment(env, injection);

test('the recorder comes after what the person requires, and is named once', () => {
  const options = '--max-old-space-size=4096 --require "/my setup.js" --require /cache/recorder-0123456789ab.cjs';
  const first = made({ NODE_OPTIONS: '--max-old-space-size=4096 --require "/my setup.js"' });
  assert.equal(first['NODE_OPTIONS'], options);
  assert.equal(made(first)['NODE_OPTIONS'], options);
  if (process.platform !== 'win32') assert.doesNotMatch(made({ node_options: '--bad' })['NODE_OPTIONS'] ?? '', /bad/);
});

test('every process of the tree is told the recording and the interval', () => {
  const env = made({});
  assert.deepEqual([env['HOTSPAN_DIR'], env['HOTSPAN_INTERVAL']], ['/rec', '500']);
});

test("VS Code's variables and its debugger's bootloader do not reach the command, nor an older recorder", () => {
  const env = made({
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_INSPECTOR_OPTIONS: '{}',
    NODE_OPTIONS:
      '--require "/x/ms-vscode.js-debug/src/bootloader.js" --require "/c/recorder-ba9876543210.cjs" --inspect-port=0',
    HOME: '/me',
  });
  assert.deepEqual(env, {
    HOME: '/me',
    NODE_OPTIONS: '--inspect-port=0 --require /cache/recorder-0123456789ab.cjs',
    HOTSPAN_DIR: '/rec',
    HOTSPAN_INTERVAL: '500',
    HOTSPAN_MODE: 'run',
  });
});

test("npm's variables are dropped where npx runs Hotspan, and kept for a script of the person", () => {
  const level = (env: NodeJS.ProcessEnv): string | undefined =>
    made({ npm_config_loglevel: 'silent', ...env })['npm_config_loglevel'];
  assert.equal(level({ npm_execpath: '/npm', npm_command: 'exec' }), undefined);
  assert.equal(level({ npm_execpath: '/npm', npm_package_name: 'hotspan' }), undefined, "Hotspan's own npm start");
  assert.equal(level({ npm_execpath: '/npm', npm_command: 'run-script', npm_package_name: 'shop' }), 'silent');
  assert.equal(level({}), 'silent');
});

test("Hotspan's own commands are not on the command's PATH, the project's are", () => {
  const own = ['/project/node_modules/.bin', '/usr/bin'];
  const PATH = ['/tool/node_modules/.bin', ...own].join(path.delimiter);
  assert.equal(made({ PATH })['PATH'], own.join(path.delimiter));
});
