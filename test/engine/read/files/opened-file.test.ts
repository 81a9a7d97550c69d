import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { openFile } from '../../../../engine/read/files/opened-file.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';

const text = `{"traceEvents":[${'{"ph":"X"},'.repeat(50)}]}`;

for (const [what, bytes] of [
  ['a file', new TextEncoder().encode(text)],
  ['a packed file', gzipSync(text)],
] as const) {
  test(`the beginning of ${what} is the same in pieces of any size, and all its bytes follow`, async () => {
    const world = memoryWorld({});
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
    };
    const file = await openFile('/rec/a', { ...world, readChunks: async () => pieces() });
    assert.equal(new TextDecoder().decode(file?.start), text);
    const read: number[] = [];
    for await (const chunk of file?.chunks ?? []) read.push(...chunk);
    assert.deepEqual(Uint8Array.from(read), Uint8Array.from(bytes));
  });
}

test('a text in UTF-16, as PowerShell writes it, is read as UTF-8, packed or not', async () => {
  const littleEndian = Buffer.from(`\uFEFF${text}{"é":"😀"}`, 'utf16le');
  for (const bytes of [littleEndian, Buffer.from(littleEndian).swap16(), gzipSync(littleEndian)]) {
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    };
    const file = await openFile('/rec/a', { ...memoryWorld({}), readChunks: async () => pieces() });
    const content: Uint8Array[] = [];
    for await (const piece of file?.content ?? []) content.push(piece.slice());
    assert.equal(Buffer.concat(content).toString(), `${text}{"é":"😀"}`);
    assert.match(new TextDecoder().decode(file?.start), /^\{"traceEvents"/);
  }
});
