import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remediesFor } from '../../language-server/texts/remedies.ts';

const first = (line: string): string => remediesFor(line)[0] ?? '';

test('each kind of blocking line has its remedy', () => {
  assert.match(first('const copy = JSON.parse(JSON.stringify(catalogue));'), /structuredClone/);
  assert.match(first('const text = fs.readFileSync(file);'), /fs\/promises/);
  assert.match(first("crypto.pbkdf2Sync(password, salt, 1e6, 64, 'sha512')"), /thread pool/);
  assert.match(first('zlib.gzipSync(body)'), /compresses in the thread pool/);
  assert.match(first('execFileSync("git", ["log"])'), /other process/);
  assert.match(first('if (pattern.test(line)) found.push(line);'), /regular expression/);
  assert.match(first('const lib = require("./big.js");'), /Load it at start/);
  assert.match(first('rows.sort(byPrice);'), /Sort once/);
  assert.match(first('all = [...all, row];'), /Spreading/);
  assert.match(first('log.debug(new Error().stack);'), /stack/);
});

test('where a call takes a callback, it is said that this does not help', () => {
  assert.match(first('bcrypt.hash(password, 12, done);'), /A callback does not make it non-blocking/);
});

test('of one kind only the most precise remedy is said, and two at the most', () => {
  assert.equal(remediesFor('JSON.parse(JSON.stringify(x))').length, 1);
  assert.equal(remediesFor('a.sort(); b.match(c); fs.statSync(d); JSON.parse(e)').length, 2);
});

test('an ordinary line has none', () => {
  assert.deepEqual(remediesFor('const total = price * count;'), []);
});
