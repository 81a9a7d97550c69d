import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { analyze } from '../../../../../engine/analyze.ts';
import { DecodedFiles } from '../../../../../engine/read/isolates/decoded-files.ts';
import { describeFailure } from '../../../../../words/failures.ts';
import { reportOf } from '../../../../../show/report/report.ts';
import { parseJson } from '../../../../../protocol/json-value.ts';
import type { Report } from '../../../../../protocol/report.ts';
import type { World } from '../../../../../engine/read/files/world.ts';
import { assertEach } from '../../../../helpers/assert-each.ts';
import { drawProfile } from '../../../../helpers/drawn-profile.ts';
import { ms } from '../../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../../helpers/memory-world.ts';
import { warningText } from '../../../../../words/warnings/warning-text.ts';
import { analyzedIn, failureIn } from '../../../../helpers/analyzed.ts';

/** The events of one thread's profile, with its samples in two pieces, as V8 writes them. */
function eventsOf(drawing: string, pid: number, tid: number, profile = tid): readonly unknown[] {
  const { nodes, samples, timeDeltas, startTime } = drawProfile(drawing);
  const written = nodes.map(({ id, callFrame }) => {
    const { url, functionName } = callFrame;
    const parent = nodes.find(({ children }) => children.includes(id))?.id;
    const frame = url === '' ? { functionName, codeType: 'other' } : { ...callFrame, codeType: 'JS' };
    return { id, parent, callFrame: frame };
  });
  const event = (name: string, ts: number, data: unknown): unknown => {
    return { args: { data }, cat: 'v8', id: `0x${profile}`, name, ph: 'P', pid, tid, ts };
  };
  const chunk = (from: number, to: number, more: object): unknown =>
    event('ProfileChunk', from, {
      cpuProfile: { ...more, samples: samples.slice(from, to) },
      // V8 leaves them out where all are 0.
      ...(from === 0 ? {} : { lines: samples.slice(from, to).map((_, index) => 661 - index) }),
      timeDeltas: timeDeltas.slice(from, to),
    });
  return [
    event('Profile', -1, { startTime }),
    { name: 'other "Profile" [{', ph: 'X', args: { data: [{ a: '}]' }] } },
    chunk(2, samples.length, {}),
    chunk(0, 2, { nodes: written }),
  ];
}

const events = [...eventsOf('parse parse (idle) parse', 7, 7), ...eventsOf('render render render', 7, 9)];
const shapes: Readonly<Record<string, string | Uint8Array>> = {
  'DevTools saved': JSON.stringify({ metadata: { source: 'DevTools', sourceMaps: [{ a: {} }] }, traceEvents: events }),
  'with its events first': JSON.stringify({ traceEvents: events, metadata: {} }, null, 1),
  'that is a list': `[\n${events.map((one) => JSON.stringify(one)).join(',\n')}\n]`,
  'with two profiles of a thread': JSON.stringify([...events, ...eventsOf('parse (idle)', 7, 7, 8)]),
  gzipped: gzipSync(JSON.stringify({ traceEvents: events })),
};

for (const [shape, content] of Object.entries(shapes)) {
  for (const size of [1, 7, 1 << 20]) {
    test(`a trace ${shape} gives the profiles of its threads, in pieces of ${size}`, async () => {
      const report = await reportOfTrace(inPieces(content, size));
      const { files } = report.recording;
      assertEach(files, ({ pid, threadId, samples }) => [pid, threadId, samples].join(' '), ['7 0 4', '7 9 3']);
      // What runs beside the main thread makes nobody wait.
      const figures = report.functions.map(({ name, totalUs, worstUs }) => `${name} ${totalUs} ${worstUs}`);
      assert.deepEqual(figures, ['parse 2000 2000', 'render 2000 0']);
      assertEach(report.lines, ({ line, precision }) => [line, precision], [[660, 'exact']]);
    });
  }
}

test('the main thread is the one with its name, else one that is not named as a worker', async () => {
  for (const [main, worker] of [
    ['CrRendererMain', 'Pool'],
    ['Main', 'DedicatedWorker thread'],
  ] as const) {
    const named = (tid: number, name: string): unknown => ({
      name: 'thread_name',
      ph: 'M',
      pid: 7,
      tid,
      args: { name },
    });
    const profiles = [...eventsOf('render render', 7, 12), ...eventsOf('parse parse parse', 7, 30)];
    const report = await reportOfTrace(
      memoryWorld({ '/trace.json': JSON.stringify([named(12, worker), named(30, main), ...profiles]) }),
    );
    assertEach(report.recording.files, ({ threadId, samples }) => `${threadId} ${samples}`, ['12 2', '0 3']);
  }
});

test('a trace that is decoded already gives the same profiles again', async () => {
  const files = { '/trace.json': JSON.stringify(events) };
  const world = { ...memoryWorld(files, { '/trace.json': 1 }), sizeOf: async () => 1 };
  const options = { thresholdUs: ms(1), decoded: new DecodedFiles() };
  const read = async (): Promise<Report> =>
    reportOf((await analyzedIn(world, options, ['/trace.json'])).analysis, 'all');
  assert.deepEqual((await read()).functions, (await read()).functions);
});

test('a trace says what is missing in its profiles', async () => {
  const text = JSON.stringify(events)
    .replace('"timeDeltas"', '"lost"') // Of the second chunk, which comes first.
    .replace('"samples":[4,4]', '"samples":[4]')
    .replace(/"id":4,"parent":1(?!.*"parent")/, '"id":4,"parent":4');
  const { warnings, functions } = await reportOfTrace(memoryWorld({ '/trace.json': text }));
  assertEach(functions, ({ name, totalUs }) => [name, totalUs], [['parse', ms(1)]]);
  assert.deepEqual(warnings.slice(0, 3), [
    'trace.json has 1 sample of unknown nodes: counted as (program).',
    'trace.json has 2 times that no clock can show: taken as 0.',
    'trace.json is damaged: its call tree runs in a circle; record again.',
  ]);
});

test('a trace without samples says how to have them', async () => {
  const world = memoryWorld({ '/trace.json': JSON.stringify({ traceEvents: events.slice(0, 2) }) });
  assert.match(await failureIn(world, ['/trace.json']), /^trace\.json is a trace without JavaScript samples: /);
});

const whole = JSON.stringify({ traceEvents: events, metadata: {} });
const cutTraces: Readonly<Record<string, string | Uint8Array>> = {
  'in an event': whole.slice(0, -60),
  'between two events': whole.slice(0, whole.lastIndexOf(',{"args"')),
  'in its gzip': gzipSync(whole).subarray(0, -40),
};

for (const [place, content] of Object.entries(cutTraces)) {
  test(`a trace that is cut off ${place} says so`, async () => {
    const world = inPieces(content, 64);
    const result = await analyze(['/trace.json'], world, { thresholdUs: ms(1), roots: ['/app'], sourceMaps: true });
    const said =
      result.type === 'failed' ? describeFailure(result.failure) : result.analysis.warnings.map(warningText).join(' ');
    assert.match(said, /^trace\.json is a trace that is cut off/);
  });
}

test('source maps in a trace lead from what a server sent to the sources here', async () => {
  const url = 'http://localhost:3000/assets/app.js';
  const text =
    'interface Row { price: number }\n\nexport function parse(rows: Row[]): number {\n  return rows.length;\n}\n';
  const { map } = transformSync(text, { loader: 'ts', sourcemap: true, sourcefile: '../src/parse.ts' });
  const [head, ...rest] = eventsOf('parse parse parse', 7, 7).map((event) =>
    parseJson(
      JSON.stringify(event)
        .replaceAll('file:///app/src/app.ts', url)
        .replaceAll(/"lineNumber":\d+/g, '"lineNumber":0'),
    ),
  );
  const inEvent = { url, sourceMapUrl: `data:application/json;base64,${Buffer.from(map).toString('base64')}` };
  const traces = [
    {
      metadata: { source: 'DevTools', sourceMaps: [{ url, sourceMap: parseJson(map) }] },
      traceEvents: [head, ...rest],
    },
    { traceEvents: [head, { name: 'ScriptCatchup', ph: 'X', pid: 7, args: { data: inEvent } }, ...rest] },
  ];
  for (const trace of traces) {
    const world = memoryWorld({ '/trace.json': JSON.stringify(trace), '/app/src/parse.ts': text });
    const { functions } = await reportOfTrace(world);
    assertEach(functions, (fn) => [fn.name, fn.url, fn.own], [['parse', '/app/src/parse.ts', true]]);
  }
});

test('a trace that is a list need not be closed', async () => {
  const open = `[\n${events.map((one) => JSON.stringify(one)).join(',\n')},\n`;
  assert.deepEqual((await reportOfTrace(inPieces(open, 64))).warnings, []);
});

function inPieces(content: string | Uint8Array, size: number): World {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const pieces = async function* (): AsyncGenerator<Uint8Array, undefined> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    return undefined;
  };
  return { ...memoryWorld({}), readChunks: async () => pieces() };
}

async function reportOfTrace(world: World): Promise<Report> {
  const { analysis } = await analyzedIn(world, { thresholdUs: ms(1) }, ['/trace.json']);
  return reportOf(analysis, 'all');
}
