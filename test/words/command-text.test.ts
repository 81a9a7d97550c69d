import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandText, processLabel } from '../../words/formats/command-text.ts';

test('a script that has a short name is called by it, and any other command as it is', () => {
  assert.equal(commandText(['npm', 'run', 'test', '--', '--run']), 'npm test -- --run');
  assert.equal(commandText(['pnpm', 'run', 'start']), 'pnpm start');
  assert.equal(commandText(['npm', 'run', 'build']), 'npm run build');
  assert.equal(commandText(['node', 'run', 'test']), 'node run test');
  assert.equal(commandText([]), '');
});

test('a process is called by its program or tool and what that runs, one with a title by that', () => {
  assert.deepEqual(Object.keys(labels).map(processLabel), Object.values(labels));
});

const labels = {
  'node server.js': 'server.js',
  '/usr/bin/node --inspect=0 --require ./hook.js /app/src/server.js --port 80': 'server.js --port 80',
  'node -r ts-node/register C:\\app\\main.ts': 'main.ts',
  'node --watch-path ./src index.js': 'index.js',
  'node /app/node_modules/.bin/tsx src/server.ts': 'tsx src/server.ts',
  'node --require /x/tsx/dist/preflight.cjs --import file:///x/tsx/dist/loader.mjs src/server.ts': 'server.ts',
  'node /app/node_modules/jest-worker/build/workers/processChild.js': 'jest worker',
  'my shop': 'my shop',
  node: 'node',
  'node --interactive': 'node --interactive',
};
