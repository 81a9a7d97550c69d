import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processLabel } from '../../extension/commands/process-label.ts';

test('a process is called by its program and the arguments of that', () => {
  assert.equal(processLabel('node server.js'), 'server.js');
  assert.equal(
    processLabel('/usr/bin/node --inspect=0 --require ./hook.js /app/src/server.js --port 80'),
    'server.js --port 80',
  );
  assert.equal(processLabel('node -r ts-node/register C:\\app\\main.ts'), 'main.ts');
});

test('a process without a program is called by its command', () => {
  assert.equal(processLabel('node'), 'node');
  assert.equal(processLabel('node --interactive'), 'node --interactive');
});
