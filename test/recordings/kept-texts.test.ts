import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { milliseconds } from '../../protocol/units.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { analyzedIn } from '../helpers/analyzed.ts';

test('what is kept when a recording is read first is source code, whatever a profile calls its scripts', async () => {
  const names = ['cart.ts', '.env', 'secret.txt', 'page.vue'];
  const files = names.map((name) => [`/app/src/${name}`, `text of ${name}`] as const);
  const drawn = JSON.stringify(drawProfile(names.map((_, number) => `n${number}.ts#work`).join(' ')));
  const profile = names.reduce((text, name, number) => text.replaceAll(`/n${number}.ts`, `/${name}`), drawn);
  const world = memoryWorld({ ...Object.fromEntries(files), '/rec/a.cpuprofile': profile });
  const result = await analyzedIn(world, { thresholdUs: milliseconds(1) });
  assert.deepEqual([...(await ownTexts(result)).keys()].toSorted(), ['/app/src/cart.ts', '/app/src/page.vue']);
  const recording = temporaryProject({});
  const [source, script] = ['/app/src/cart.ts', '/app/dist/cart.js'];
  await keepTexts(recording, new Map(), { ...result, analysis: { changed: { outdated: [{ source, script }] } } });
  assert.equal(readFileSync(`${recording}/read.texts.jsonl`, 'utf8'), `${JSON.stringify({ url: source, script })}\n`);
});
