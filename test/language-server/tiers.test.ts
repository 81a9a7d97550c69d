import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { hotspotsRequest, locateRequest, takeTiersRequest } from '../../protocol/requests.ts';
import { drawLog } from '../helpers/drawn-log.ts';
import { startLanguageClient, uriOf } from '../helpers/language-client.ts';
import { placedProfile } from '../helpers/placed-profile.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const source = `// requests
function handler(items) {
  function sum(list) {
    let total = 0;
    for (const item of list) total += item.price;
    return total;
  }
  return sum(items);
}
`;
const folder = temporaryProject({ 'app.js': source });
const app = path.join(folder, 'app.js');
const written = statSync(app).ctimeMs;
const client = await startLanguageClient(folder);
after(client.close);

/** A recording that began at this time, in ms since the epoch. */
function recording(
  name: string,
  kind: 'profile' | 'tiers',
  files: Readonly<Record<string, string>>,
  at: number,
): string {
  const place = path.join(folder, '.hotspan', name);
  mkdirSync(place, { recursive: true });
  const startedAt = new Date(at).toISOString();
  const manifest = { version: 2, kind, command: ['node', 'app.js'], cwd: folder, startedAt, endedAt: startedAt };
  for (const [file, text] of Object.entries({ 'recording.json': JSON.stringify(manifest), ...files }))
    writeFileSync(path.join(place, file), text);
  return place;
}

const profile = placedProfile(`${'handler '.repeat(30)}\n${'sum:5 '.repeat(30)}`, {
  functions: { handler: { url: app, line: 1, column: 16 }, sum: { url: app, line: 2, column: 14 } },
  sampleMs: 1,
});

const calls = (count: number, sum: string): string =>
  `${Array.from({ length: count }, () => `tick ${sum} 2010 1010`).join('\n')}\ntick:idle 9999`;
const log = drawLog(
  `code-creation,Script,9,110,0x9000,9, hotspan-clock:7:0:5000000:1:1,0xabc,~
   ~ emit 1000 100
   ~ handler 2000 100
   ^ sum 3000 100
   ${calls(15, '3010')}
   * sum 4000 100
   ${calls(5, '4010')}
   code-deopt,40000,100,0x4000,-1,20,deopt-eager,</app/a.js:5:37>,wrong map`,
  { emit: [1, 10, 1], handler: [27, 2, 17], sum: [53, 3, 15] },
).replaceAll('/app/a.js', app);

test('a profile has no word of tiers; those that are recorded beside it meanwhile come to its hover and tree', async () => {
  const profiled = recording('a', 'profile', { '7-0-x.0.cpuprofile': profile }, written + 1000);
  assert.equal((await client.openRecording(profiled)).type, 'opened');
  assert.doesNotMatch(await client.hover(app, 4), /optimized|tiers/i);

  recording('b', 'tiers', { 'isolate-0x1-7-7-1.v8.log': log }, written + 1000);
  await client.ask(takeTiersRequest, null);
  const hover = (await client.hover(app, 4)).replaceAll(/\\(?=\W)/g, '');
  assert.match(hover, /`Sparkplug ▆ 75 % · TurboFan ▂ 25 %`/);
  assert.match(hover, /second run, /);
  assert.match(hover, /^- Deoptimized at \[app\.js:5\]\(command:.*\): wrong map\. An object had another shape/m);
  assert.match(hover, /\*\*Created again in each call of handler: hoist it\*\*/);

  const tree = await client.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'notOptimized' });
  const item = tree[0]?.groups[0]?.items[0];
  assert.match(item?.description ?? '', /25 % optimized/);
  assert.match(item?.tooltip ?? '', /deoptimized: wrong map, app\.js:5/);
  const functionId = item?.functionId ?? -1;
  const place = await client.ask(locateRequest, { recording: profiled, functionId, deopt: 0 });
  assert.deepEqual(place, { uri: uriOf(app), line: 4, character: 36, inside: true });
});

test('a function of a file that was written since has no tiers, and its hover and tree say why', async () => {
  const profiled = recording('c', 'profile', { '7-0-x.0.cpuprofile': profile }, written - 1000);
  recording('d', 'tiers', { 'isolate-0x1-7-7-1.v8.log': log }, written - 1000);
  assert.equal((await client.openRecording(profiled)).type, 'opened');
  const why = /V8 tiers unknown: its file has changed since the first of the two runs; record both again/;
  assert.match((await client.hover(app, 4)).replaceAll(/\\(?=\W)/g, ''), why);
  assert.match((await client.hotItems())[0]?.tooltip ?? '', why);
});
