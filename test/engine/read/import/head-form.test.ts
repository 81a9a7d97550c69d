import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOf } from '../../../../show/report/report.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';
import { analyzedIn, failureIn } from '../../../helpers/analyzed.ts';
import { type DrawnNode, type DrawnProfile, drawProfile } from '../../../helpers/drawn-profile.ts';
import { ms } from '../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';

const drawn = drawProfile(`
  (idle) handle handle handle
  .      parse  parse  .
`);

/** As v8-profiler-next writes it: places from 1, times of samples in µs, start and end in whole seconds. */
function inHeadForm({ nodes, samples }: DrawnProfile): Readonly<Record<string, unknown>> {
  const below = ({ id, callFrame, children }: DrawnNode): unknown => ({
    ...callFrame,
    ...{ lineNumber: callFrame.lineNumber + 1, columnNumber: callFrame.columnNumber + 1 },
    ...{ id, hitCount: 2, callUID: id, lineTicks: callFrame.url === '' ? [] : [{ line: 7, hitCount: 2 }] },
    children: nodes.filter((node) => children.includes(node.id)).map(below),
  });
  const [head] = nodes.filter(({ callFrame }) => callFrame.functionName === '(root)').map(below);
  const timestamps = samples.map((_, index) => 1_600_000_000_000_000 + index * 1000);
  return {
    typeId: 'CPU',
    uid: '1',
    title: 'p',
    head,
    startTime: 1_600_000_000,
    endTime: 1_600_000_000,
    samples,
    timestamps,
  };
}

async function filesOf(content: unknown, name = 'a.cpuprofile') {
  const world = memoryWorld({ [`/rec/${name}`]: JSON.stringify(content) });
  const { analysis } = await analyzedIn(world, { thresholdUs: ms(1) }, [`/rec/${name}`]);
  const { functions, files } = { ...reportOf(analysis, 'all'), files: reportOf(analysis, 'all').recording.files };
  const figures = functions.map(({ name: fn, line, worstUs, totalUs }) => [fn, line, worstUs, totalUs]);
  return { figures, samples: files.map((file) => file.samples), warnings: analysis.warnings.map(warningText) };
}

test('a profile of the old form has the figures of the present one', async () => {
  const now = await filesOf(drawn);
  assert.ok(now.figures.length > 1);
  assert.deepEqual(await filesOf(inHeadForm(drawn)), now);
});

test('so has an old trace with the whole profile in one event, in either form', async () => {
  const { figures } = await filesOf(drawn);
  for (const cpuProfile of [drawn, inHeadForm(drawn)]) {
    const event = { name: 'CpuProfile', ph: 'I', pid: 2, tid: 2, ts: 1, args: { data: { cpuProfile } } };
    assert.deepEqual((await filesOf({ traceEvents: [event] }, 'trace.json')).figures, figures);
  }
});

test('what is not a profile of V8, or cut off, or has no samples, is said to be that', async () => {
  const whole = inHeadForm(drawn);
  const sample = { cpu: '-1', name: '', ts: '1000', pid: 0, tid: '1', weight: '1', sf: 3 };
  const stackFrames = { 3: { name: 'render(index.bundle:1:2)', category: 'JavaScript' } };
  const refused = async (text: string): Promise<string> =>
    failureIn(memoryWorld({ '/rec/a.cpuprofile': text }), ['/rec/a.cpuprofile']);
  const hermes = { traceEvents: [{ name: 'thread_name', ph: 'M', pid: 0 }], samples: [sample], stackFrames };
  assert.match(await refused(JSON.stringify(hermes)), /^a\.cpuprofile is a profile of Hermes/);
  assert.match(await refused(JSON.stringify(whole).slice(0, -9)), /^a\.cpuprofile is cut off/);
  assert.match(
    await refused(JSON.stringify({ ...whole, samples: [], timestamps: [] })),
    /startProfiling\(name, true\)/,
  );
});
