import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type AnalyzeResult, analyze } from '../../../../engine/analyze.ts';
import { diskWorld } from '../../../../recordings/disk-world.ts';
import { milliseconds } from '../../../../protocol/units.ts';
import { temporaryProject } from '../../../helpers/temporary-project.ts';
import { placedProfile } from '../../../helpers/placed-profile.ts';

/** A profile in a folder of its own, whose only function stands in the file of this url. */
async function analysedWith(url: (folder: string) => string): Promise<AnalyzeResult> {
  const folder = temporaryProject({});
  const file = path.join(folder, 'a.cpuprofile');
  writeFileSync(file, placedProfile('f '.repeat(6), { functions: { f: { url: url(folder), column: 10 } } }));
  const roots = [folder, '/proc'];
  return analyze([file], diskWorld, { thresholdUs: milliseconds(10), roots, sourceMaps: true });
}

test(
  'a profile that names what the kernel makes up is analysed, and does not wait for it',
  { skip: process.platform !== 'linux' },
  async () => {
    const result = await analysedWith(() => 'file:///proc/kmsg');
    assert.equal(result.type, 'analyzed');
  },
);

test('a source map and a text of too many bytes are refused, and others are read', async () => {
  const asked: (readonly [string, number | undefined])[] = [];
  const files: Readonly<Record<string, string>> = { '/app/a.js': 'f()\n//# sourceMappingURL=a.js.map' };
  const { readText, MAX_NAMED_BYTES } = await import('../../../../engine/read/files/world.ts');
  const { openSourceMaps } = await import('../../../../engine/read/texts/open-mappers.ts');
  const world = {
    readFile: async (file: string, most?: number) => {
      asked.push([file, most]);
      const text = files[file];
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    listFiles: async () => undefined,
  };
  await (await openSourceMaps([], world, { roots: ['/app'] })).functions('/app/a.js', []);
  await readText('/app/b.js', world, 5);
  assert.deepEqual(asked.slice(0, 2), [
    ['/app/a.js', MAX_NAMED_BYTES.text],
    ['/app/a.js.map', MAX_NAMED_BYTES.map],
  ]);
});
