import assert from 'node:assert/strict';
import test from 'node:test';
import { withoutRecorder, withRecorder } from '../../recorder/command-lines/shell-command.ts';

test('the recorder is named in quotes only where its folder needs them', () => {
  assert.equal(withRecorder('--a', '/cache/r.cjs'), '--a --require /cache/r.cjs');
  assert.equal(withRecorder(undefined, '/my cache/r.cjs'), '--require "/my cache/r.cjs"');
  assert.equal(withRecorder('', String.raw`C:\cache\r.cjs`), String.raw`--require C:\cache\r.cjs`);
  assert.equal(withRecorder('', String.raw`C:\my cache\r.cjs`), String.raw`--require "C:\\my cache\\r.cjs"`);
});

test('it is named once, and taken out as it was put in', () => {
  for (const file of ['/cache/r.cjs', '/my cache/r.cjs', String.raw`C:\cache\r.cjs`, String.raw`C:\my cache\r.cjs`]) {
    const options = withRecorder('--a', file);
    assert.equal(withRecorder(options, file), options);
    assert.equal(withoutRecorder(options, file), '--a');
  }
});
