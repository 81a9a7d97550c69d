import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../cli/arguments/command.ts';

const words = ['record', 'analyze', 'recordings', 'threshold'];

test('letters that are changed, missing, too many or exchanged are forgiven', () => {
  assert.equal(nearest('recird', words), 'record');
  assert.equal(nearest('anlyze', words), 'analyze');
  assert.equal(nearest('treshhold', words), 'threshold');
  assert.equal(nearest('recrod', words), 'record');
  assert.equal(nearest('RECORD', words), 'record');
  assert.equal(nearest('josn', ['json']), 'json');
});

test('the nearest of several is meant', () => {
  assert.equal(nearest('recording', words), 'recordings');
});

test('a beginning is enough where it is of one word alone', () => {
  assert.equal(nearest('thresh', words), 'threshold');
  assert.equal(nearest('rec', words), null);
});

test('nothing is made of what is like nothing', () => {
  assert.equal(nearest('npm', words), null);
  assert.equal(nearest('x', words), null);
  assert.equal(nearest('', words), null);
});
