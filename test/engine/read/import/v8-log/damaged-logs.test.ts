import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { fc } from '../../../../helpers/drawn-cases.ts';
import { drawLog } from '../../../../helpers/drawn-log.ts';
import { readLog } from '../../../../helpers/stacks-of-log.ts';

const small = drawLog(`
  script-source,7,/app/a.js,function main() {\\n}\\n
  ~ main 1000 100 C0O3
  * add 2000 100 C0O5
  tick 2010 1010
  builtin 3000 100
  move 2000 4000
  code-deopt,3,100,0x4000,-1,5,deopt-eager,</app/a.js:1:5> inlined at </app/a.js:2:6>,wrong map
  tick 4010 1010
  tick:gc 9999
`);

test('a log that is cut anywhere is read up to there', async () => {
  for (let end = 1; end < small.length; end++) {
    const ticks = small
      .slice(0, end)
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('tick')).length;
    const read = await readLog(small.slice(0, end)).catch(String);
    if (typeof read === 'string') assert.match(read, /^Error: a\.v8\.log (holds no ticks|is not a V8 log).*\.$/);
    assert.equal(typeof read === 'string' ? 0 : read.profile.nodes.length, ticks);
  }
});

test('a packed log that is cut is read up to there', async () => {
  const packed = gzipSync(small.repeat(40));
  const { profile } = await readLog(packed);
  assert.equal(profile.nodes.length, 120);
  const part = await readLog(packed.subarray(0, packed.length - 9));
  assert.ok(part.profile.nodes.length > 0);
});

test('a log that ends in the middle of a line says so, and a whole one does not', async () => {
  const { warnings } = await readLog(small.slice(0, -4));
  assert.match(
    warnings.join(' '),
    /^a\.v8\.log ends in the middle of a line, because .+: what comes before is shown\./,
  );
  assert.doesNotMatch((await readLog(small)).warnings.join(' '), /middle/);
});

test('whatever the bytes are, there is an answer, and one that fits together', async () => {
  const bytes = new TextEncoder().encode(small);
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(10, 44, 48, 120)));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const damaged = bytes.slice();
      for (const [at, byte] of changes) damaged[at] = byte;
      const read = await readLog(damaged).catch(String);
      if (typeof read === 'string') {
        assert.match(read, /^Error: a\.v8\.log [^\n]+\.$/);
        return;
      }
      const { parent, frame, frames, nodes, times, end } = read.profile;
      assert.ok(parent.every((above, node) => above < node && frames[frame[node] ?? -1] !== undefined));
      assert.ok(nodes.every((node) => node >= 0 && node < parent.length));
      assert.ok([...times].every((time, sample) => time >= (times.at(sample - 1) ?? time) && time <= end));
    }),
    { numRuns: 300 },
  );
});

/** A tick in the first script of a thread. */
const started = (script: string): string =>
  `code-creation,JS,9,5,0x7000,100, node:internal/main/${script}:1:1,0xa,~\ntick,0x7010,9000,0,0x0,0\n`;

/** What is odd, and what is said of it. */
const oddities: Readonly<Record<string, readonly [log: string, sentence: RegExp]>> = {
  'two isolates in one file': [small + small, /^a\.v8\.log holds the logs of several isolates, mixed up: .*\.$/],
  'two isolates that take turns': [
    `${small}${'tick,0x10,5,0,0x0,0\n'.repeat(20)}`,
    /holds the logs of several isolates/,
  ],
  'a worker and a main thread': [`${small}${started('worker_thread')}${started('eval_string')}`, /of several isolates/],
  'a V8 of tomorrow': [small.replace('13,6', '99,1'), /^a\.v8\.log was written by V8 99\.1\.233\.17-node\.53, .*\.$/],
  'lines of an unknown kind': [
    `${small}warp-core,1\n`,
    /has 1 line of a kind that Hotspan does not know \(warp-core\): the/,
  ],
  'lines that cannot be read': [
    `${small}tick,0x10,zero,0\n`,
    /has 1 line that cannot be read \(tick\): the rest is shown/,
  ],
  'times that run backwards': [`${small}tick,0x10,5,0,0x0,0\n`, /has 1 tick earlier than the tick before/],
};

for (const [what, [log, sentence]] of Object.entries(oddities)) {
  test(`of ${what} is said what it is, and the rest shown`, async () => {
    const { profile, warnings } = await readLog(log);
    assert.match(warnings.join('\n'), sentence);
    assert.equal(warnings.length, 1);
    assert.ok(profile.nodes.length >= 3);
  });
}

const unusable: Readonly<Record<string, readonly [log: string, sentence: RegExp]>> = {
  'without ticks': [drawLog('~ main 1000 100'), /holds no ticks: .*; record a longer run\.$/],
  empty: ['', /is empty: .* or record again\.$/],
  'of something else': ['hello\nworld\n', /is not a V8 log that can be read: record again .*\.$/],
};

for (const [what, [log, sentence]] of Object.entries(unusable)) {
  test(`a file ${what} is said to be so`, async () => assert.rejects(readLog(log), { message: sentence }));
}

test('what V8 writes on request is not damage', async () => {
  const { warnings } = await readLog(`${small}code-disassemble,0x1000,IGNITION,text\ncode-feedback,1,2\n`);
  assert.deepEqual(warnings, []);
});

test('a log may be full of what looks like marks of the recorder, and of long numbers', async () => {
  const mark = 'code-creation,Script,9,110,0x9000,9, hotspan-clock:7:0:5000000:1:1,0xabc,~\n';
  const inlined = `* main 1000 100 C0O1I0 F${'9'.repeat(200_000)} main`;
  const { profile } = await readLog(`${drawLog(`${inlined}\ntick 1010`)}${mark.repeat(200_000)}`);
  assert.equal(profile.nodes.length, 1);
});

test('absurd addresses, sizes and times harm nothing', async () => {
  const huge = 'f'.repeat(40);
  const log = drawLog(`
    code-creation,JS,9,5,0x${huge},${'9'.repeat(40)},f /app/a.js:1:1,0x${huge},~
    code-creation,JS,9,5,0x0,999999999999999,g /app/a.js:1:1,0x1,*
    code-move,0x${huge},0x1
    tick,0x${huge},${'9'.repeat(30)},0,0x0,0,0x${huge},0x5
    tick,0x5,99,0,0x0,0`);
  const { profile } = await readLog(log);
  assert.equal(profile.nodes.length, 1);
  assert.ok([...profile.times].every((time) => Number.isFinite(time)));
});
