import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactArguments, redactText, redacted } from '../../protocol/redact.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const random = ['q8Zt3LmX0v', 'Rk7YbN2sWc', '5HdJ1pGf'].join('');
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');

test('arguments that look like secrets are redacted', () => {
  const secrets = [
    ['--password=hunter2'],
    ['--db-password=hunter2'],
    ['--token', 'abc'],
    ['--api-key', 'abc'],
    ['-e', 'API_KEY=abc node x.js'],
    ['sh', '-c', 'node x.js --token abc --port 80'],
    ['-H', 'Authorization: Bearer abc'],
    ['postgres://user:abc@db/shop'],
    ['https://abc@host/path'],
    [['ghp', 'a'.repeat(36)].join('_')],
    [['sk', 'a'.repeat(30)].join('-')],
    [`AKIA${'A1'.repeat(8)}`],
    [jwt],
    [random],
    [`--key=${random}`],
    ['0123456789abcdef'.repeat(2)],
  ];
  for (const secret of secrets) {
    const text = redactArguments(secret).join(' ');
    assert.ok(text.includes(redacted), secret.join(' '));
    for (const value of ['hunter2', 'abc ', ' abc', '=abc', ':abc', 'aaaaaaaa', 'A1A1A1', jwt, random, '0123456789'])
      if (!['-e', 'sh'].includes(secret[0] ?? '')) assert.ok(!text.includes(value), text);
  }
  assert.deepEqual(redactArguments(['--token', 'abc', '--port', '80']), ['--token', redacted, '--port', '80']);
  assert.equal(redactText('postgres://user:abc@db/shop'), `postgres://${redacted}@db/shop`);
  assert.equal(redactText('node x.js --token abc --port 80'), `node x.js --token ${redacted} --port 80`);
  assert.equal(redactText('API_KEY=abc node x.js'), `API_KEY=${redacted} node x.js`);
});

test('what is none stays as it was', () => {
  const plain = [
    ['npm', 'test', '--', '--grep', 'token is refreshed'],
    ['node', '--max-old-space-size=4096', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
    ['/home/me/Projects/MyApplication2WithAVeryLongName/src/authorization/tokens.test.ts'],
    ['--author', 'me', '--passWithNoTests', '--maxWorkers=2', '--testNamePattern=shows the 2nd password field'],
    ['http://localhost:3000/orders?page=2'],
    ['src/auth.ts:12'],
    ['packages/a/token', '@scope/auth@1.2.3', 'user@example.com'],
    ['--experimental-default-type=module', '--unhandled-rejections=strict'],
  ];
  for (const args of plain) assert.deepEqual(redactArguments(args), args);
});

test('a very long text takes no time', () => {
  for (const text of ['--a_', '-a.', 'a+', 'a://', 'token ', '_'].map((part) => part.repeat(100_000))) {
    assert.ok(redactText(text).length < 10_000);
  }
});
