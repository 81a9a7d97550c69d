import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { Report } from '../../../protocol/report.ts';
import { assertNone } from '../../helpers/assert-each.ts';
import { startLanguageClient } from '../../helpers/language-client.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { reportOf } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import type { ReportFunction } from '../../../protocol/report-code.ts';

/**
 * A request holds the loop for 15 ms of the processor; `answer` is called as often as there is time. The clock is read
 * seldom: on a virtual machine a sample slips to a system call that follows within some 5 µs.
 */
const requests = `
const usage = process.threadCpuUsage ?? process.cpuUsage;
let left = 40, all = 0;
function request() {
  const begin = usage();
  while (usage(begin).user < 15_000) for (let i = 0; i < 20; i++) all += answer(left);
  if (--left > 0) setImmediate(request);
}
request();
`;

const items = `const items = Array.from({ length: 4000 }, (_, i) => ({ price: i % 97, pieces: i % 7 }));`;

const anew = `${items}
function answer(rebate) {
  function sum(list) {
    let total = 0;
    for (const item of list) total += item.price * item.pieces - rebate;
    return total;
  }
  return sum(items);
}${requests}`;

const hoisted = `${items}
function sum(list, rebate) {
  let total = 0;
  for (const item of list) total += item.price * item.pieces - rebate;
  return total;
}
function answer(rebate) {
  return sum(items, rebate);
}${requests}`;

/** Every few requests points have another shape. */
const deopts = `
const shapes = [
  (i) => ({ x: i, y: i }),
  (i) => ({ y: i, x: i }),
  (i) => ({ z: i, x: i, y: i }),
  (i) => ({ a: i, y: i, x: i }),
];
const kinds = shapes.map((make) => Array.from({ length: 2000 }, (_, i) => make(i)));
function length(points) {
  let sum = 0;
  for (const point of points) sum += point.x * point.x + point.y * point.y;
  return sum;
}
function answer(left) {
  return length(kinds[Math.floor(left / 5) % kinds.length]);
}${requests}`;
const deoptLine = 1 + deopts.split('\n').findIndex((line) => line.includes('point.x * point.x'));

const folder = temporaryProject({ 'anew.cjs': anew, 'hoisted.cjs': hoisted, 'deopts.cjs': deopts });

async function recorded(node: string, program: string, flags: readonly string[] = ['--tiers']): Promise<string> {
  const out = path.join(folder, 'recordings', `${path.basename(program, '.cjs')}-${flags.length}-${seen.size}`);
  seen.add(out);
  const run = await runCli(['record', '--quiet', ...flags, '--out', out, '--', node, program], { cwd: folder });
  assert.equal(run.code, 0, run.stderr);
  return out;
}

const seen = new Set<string>();

function functionOf({ functions }: Report, name: string): ReportFunction {
  return functions.find((fn) => fn.name === name) ?? assert.fail(`no ${name}`);
}

for (const { version, node } of testedVersions()) {
  describe(`Node ${version}`, () => {
    test('a function made anew in every request is named, and no more once it is hoisted', async () => {
      const before = functionOf(await reportOf(await recorded(node, 'anew.cjs'), folder), 'sum');
      assert.equal(before.tiers?.madeAnewIn, 'answer');
      const all = await reportOf(await recorded(node, 'hoisted.cjs'), folder);
      const after = functionOf(all, 'sum');
      assert.equal(after.tiers?.madeAnewIn, null);
      assert.ok(after.tiers.turbofanUs + after.tiers.maglevUs > after.tiers.ignitionUs);
      assertNone(all.functions, ({ tiers }) => (tiers?.madeAnewIn ?? null) !== null);
    });

    test('a function whose optimized code is thrown away says why and where, in the hover too', async () => {
      const recording = await recorded(node, 'deopts.cjs');
      const { tiers } = functionOf(await reportOf(recording, folder), 'length');
      const file = path.join(folder, 'deopts.cjs');
      const wrong = tiers?.deopts.filter(({ reason }) => reason === 'wrong map') ?? [];
      assert.ok(wrong.length > 0);
      assert.ok(wrong.every(({ url, line }) => url === file && line === deoptLine));
      const client = await startLanguageClient(folder);
      after(client.close);
      assert.equal((await client.openRecording(recording)).type, 'opened');
      const hover = (await client.hover(file, deoptLine - 1)).replaceAll(/\\(?=\W)/g, '');
      assert.match(hover, new RegExp(`Deoptimized.* at \\[deopts\\.cjs:${deoptLine}\\].*: wrong map\\. An object`));
    });
  });
}

test('a profile takes its tiers from a second run, and the terminal says so', async () => {
  const [{ node } = { node: process.execPath }] = testedVersions().slice(-1);
  const profile = await recorded(node, 'anew.cjs', []);
  await recorded(node, 'anew.cjs');
  const report = await reportOf(profile, folder);
  assert.notEqual(report.recording.tiersFrom, undefined);
  assert.equal(functionOf(report, 'sum').tiers?.madeAnewIn, 'answer');
  // On a busy machine few samples are in it, and the verdict leaves it out.
  const { stdout } = await runCli(['analyze', '--all', profile], { cwd: folder });
  assert.match(stdout, /Tiers are from a second run, just now\./);
  assert.match(stdout, /\d % optimized · .*TurboFan/);
  assert.match(stdout, /Created again in each call of answer: hoist it/);
});
