import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "failing", "type": "module", "scripts": { "test": "node --test" } }',
  'src/hash.js': `import { pbkdf2Sync } from 'node:crypto';

export function hash(password) {
  return pbkdf2Sync(password, 'salt', 200_000, 32, 'sha512');
}
`,
  'test/hash.test.js': `import { test } from 'node:test';
import { hash } from '../src/hash.js';

test('fails after it has blocked', () => {
  hash('secret');
  throw new Error('as it should');
});
`,
});
const { page } = await vscodeForTests({ folder });

test('tests that fail keep their profile', async () => {
  assert.match(await profileTests(page), /≈?[\d.]+ m?s worst/);
  await openFile(page, 'src/hash.js');
  const { line, text } = await decorationWith(page, 'worst');
  assert.match(text, / worst · 1 × >10 ms · 1 stack$/);
  assert.equal(line, 4);
});
