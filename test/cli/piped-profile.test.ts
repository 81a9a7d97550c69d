import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { pipedPath, readPiped, worldWith } from '../../cli/commands/analyze.ts';
import { analyze } from '../../engine/analyze.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';

const profile = JSON.stringify(drawProfile('ms 40\nwork'));

test('a profile that is piped in, also packed, is analysed as one from a file', async () => {
  for (const bytes of [Buffer.from(profile), gzipSync(profile)]) {
    const piped = await readPiped(Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]));
    assert.ok(piped instanceof Uint8Array);
    const result = await analyze([pipedPath], worldWith(piped, diskWorld), {
      thresholdUs: milliseconds(10),
      roots: ['/app'],
      sourceMaps: false,
    });
    assert.ok(result.type === 'analyzed');
    assert.deepEqual(
      result.analysis.functions.functions.filter(({ own }) => own).map(({ label }) => label),
      ['work'],
    );
  }
});

test('nothing to read is said, with what to type', async () => {
  const message = async (input: Parameters<typeof readPiped>[0]): Promise<string> => {
    const piped = await readPiped(input);
    return piped instanceof Uint8Array ? 'read' : piped.message;
  };
  assert.match(await message(Readable.from([])), /is empty: pipe a \.cpuprofile in/);
  assert.match(await message(Object.assign(Readable.from([]), { isTTY: true })), /hotspan analyze - < FILE/);
  const broken = new Readable({ read: (): void => void broken.destroy(new Error('gone')) });
  assert.match(await message(broken), /cannot be read: save it as a file/);
});
