import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandText } from '../../words/formats/command-text.ts';

test('a script that has a short name is called by it, and any other command as it is', () => {
  assert.equal(commandText(['npm', 'run', 'test', '--', '--run']), 'npm test -- --run');
  assert.equal(commandText(['pnpm', 'run', 'start']), 'pnpm start');
  assert.equal(commandText(['npm', 'run', 'build']), 'npm run build');
  assert.equal(commandText(['node', 'run', 'test']), 'node run test');
  assert.equal(commandText([]), '');
});
