import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapReferenceOf } from '../../../../engine/read/sourcemap/script-maps.ts';

const typeOf = (after: string): string =>
  mapReferenceOf(`code();\n//# sourceMappingURL=a.js.map${after}`, '/app/a.js').type;

test('comments may follow a reference, code may not', () => {
  assert.equal(typeOf('\n// built\r\n\r\n//\n'), 'file');
  assert.equal(typeOf('\n// built\ncode();'), 'none');
});

test('an apostrophe is a part of a percent-encoded map, and ends any other reference', () => {
  const text = "code();\n//# sourceMappingURL=data:application/json;charset=utf-8,%7B%22a%22%3A%22it's%22%7D\n";
  assert.deepEqual(mapReferenceOf(text, '/app/a.js'), { type: 'inline', text: `{"a":"it's"}` });
  assert.equal(mapReferenceOf(text.replace('charset=utf-8', 'base64'), '/app/a.js').type, 'none');
});

test('a banner in front of more code is read at once', () => {
  assert.equal(typeOf(`\n${'/'.repeat(10_000)}\ncode();`), 'none');
  assert.equal(typeOf(`${' '.repeat(10_000)}code();`), 'none');
});
