import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeWorld } from '../../node-world/node-world.ts';
import { worldWith } from '../../node-world/kept-texts.ts';
import { memoryWorld } from '../helpers/memory-world.ts';

test('kept texts stand in for their files, however these are read', async () => {
  for (const around of [memoryWorld({ '/a.js': 'edited', '/b.js': 'b' }), nodeWorld]) {
    const world = worldWith(new Map([['/a.js', 'as it ran']]), around);
    const pieces: Uint8Array[] = [];
    for await (const piece of (await world.readChunks?.('/a.js')) ?? []) pieces.push(piece);
    assert.equal(Buffer.concat(pieces).toString(), 'as it ran');
    assert.equal(Buffer.from((await world.readFile('/a.js')) ?? []).toString(), 'as it ran');
    assert.equal((await world.readChunks?.('/nowhere')) === undefined, true);
  }
});
