import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { analyze } from '../../../../engine/analyze.ts';
import { describeFailure } from '../../../../words/failures.ts';
import { kindOfFile } from '../../../../engine/read/files/file-kinds.ts';
import type { World } from '../../../../engine/read/files/world.ts';
import { ms } from '../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { fileKindText } from '../../../../words/warnings/file-warnings.ts';

const bytesOf = (content: string): Uint8Array => Uint8Array.from(content, (letter) => letter.codePointAt(0) ?? 0);

const others: readonly (readonly [name: string, start: string, what: RegExp])[] = [
  ['Heap.20260101.101010.7.0.001.heapprofile', '{"head":{"callFrame":{"functionName":"(root)"', /^is a heap profile/],
  ['Heap.20260101.101010.7.0.001.heapsnapshot', '{"snapshot":{"meta":{"node_fields":["type"', /^is a heap snapshot/],
  ['reply.json', '{"profile":{"nodes":[{"id":1', /^is an answer of the inspector: save the value/],
  ['reply.json', '{"id":3,"result":{"profile":{"nodes":[{"id":1', /^is an answer of the inspector/],
  ['processed.txt', 'Statistical profiling result from isolate0x1-7-v8.log, (5 ticks', /^is the summary of a V8 log/],
  ['v8.json', '{\n  "code": [\n  {\n    "name": "/usr/bin/node"', /V8 log made ready/],
  ['report.json', '\n{\n  "header": {\n    "reportVersion": 5', /^is a diagnostic report/],
  ['coverage-7-1-0.json', '{"result":[{"scriptId":"3","url":"node:x"', /^is coverage/],
  ['node_trace.1.log', '{"traceEvents":[{"pid":7,"tid":7,"ts":1', /^is a trace/],
  ['Trace-1.json', '{"metadata": {\n"source": "DevTools","sourceMaps":[', /^is a trace/],
  ['trace.json', '[\n{"args":{"data":{"a":{}}},"cat":"v8","name":"x","ph":"X"', /^is a trace/],
  ['a.speedscope.json', '{"exporter":"speedscope@1.25.0","name":"a"', /^is a speedscope file/],
  ['a.json', '{"version":"0","$schema":"https://www.speedscope.app/file-format-schema.json"', /^is a speedscope file/],
  ['Firefox.json', '{"meta":{"interval":1,"stackwalk":1,"preprocessedProfileVersion":48', /Firefox/],
  ['cpu.pb', '\n\x04\x08\x01\x10\x02\n\x04\x08\x03\x10\x04', /^is a pprof/],
  ['perf.data', 'PERFILE2\x68\0\0', /^is a recording of Linux perf/],
  ['perf.txt', 'node  1234 567.890123:     250000 cpu-clock:uhppp: \n\t 7f main', /perf script/],
  ['perf.txt', 'node  1234/1236 [001] 567.890123: 1 cycles:\n', /perf script/],
  ['out.folded', 'main;a b;c 12\nmain;d 3\n', /^holds folded stacks/],
  ['react.json', '{"version":5,"dataForRoots":[', /React/],
  ['7.clinic-doctor-systeminfo', '{\n  "clinic": {\n    "version": "13.0.0"', /Clinic/],
  ['CPU.20260101.101010.7.0.001.md', '# CPU Profile\n\n| Duration |', /bun with --cpu-prof instead/],
  ['recording.json', '{\n  "version": 2,\n  "hotspanVersion": "0.1.0"', /^belongs to a recording: give its folder/],
  ['7-0-x.turns.jsonl', '["turn",1,2,-1]\n', /^belongs to a recording/],
  ['report.json', '{\n  "version": 3,\n  "thresholdUs": 10000', /^is a report of Hotspan/],
  ['a.js.map', '{"version":3,"file":"a.js","sources":["a.ts"]', /^is a source map/],
  ['a.js.map', '{"mappings":"AAAA","version":3', /^is a source map/],
  ['coverage-final.json', '{"/a.js": {"path":"/a.js","statementMap":{', /^is coverage/],
  ['lcov.info', 'TN:\nSF:a.js\n', /^is coverage/],
  ['package.json', '{\n  "name": "a",\n  "version": "1.0.0"', /^describes a package: record .*npm test/],
  ['a.cpuprofile', 'version https://git-lfs.github.com/spec/v1\noid sha256:1', /git lfs pull/],
  ['flamegraph.html', '<!DOCTYPE html>\n<html>', /^is a web page .*: open it in a browser/],
  ['flame.svg', '<?xml version="1.0"?><svg', /^is a web page or a picture/],
  ['a.zip', 'PK\x03\x04\x14\0', /^is a zip archive: unpack it/],
  ['a.tar', `a.js${'\0'.repeat(253)}ustar\0`, /^is a tar archive/],
  ['a.zst', '\x28\xb5\x2f\xfd\x04', /zstd/],
  ['a.xz', '\xfd7zXZ\0', /xz/],
  ['a.bz2', 'BZh91AY', /bzip2/],
  ['a.7z', '7z\xbc\xaf\x27\x1c', /7-Zip/],
  ['a.cpuprofile.br', '\x0b\x02\x80', /Brotli/],
  ['a.png', '\x89PNG\r\n\x1a\n', /^is a picture/],
  ['core', '\x7fELF\x02\x01\x01\0\0', /^is a binary file/],
  ['server.mts', 'import { a } from "a";\n', /^is a program: record it with "hotspan record -- node"/],
];

for (const [name, start, what] of others) {
  test(`${name} that begins with ${JSON.stringify(start.slice(0, 24))} is named for what it is`, () => {
    const kind = kindOfFile(name, bytesOf(start));
    assert.match(kind === null ? 'unknown' : fileKindText(kind), what);
  });
}

const own = [
  '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"',
  '\xef\xbb\xbf{\n  "nodes": [\n    {\n      "id": 1',
  '{"startTime":1,"endTime":2,"nodes":[{"id":1,"callFrame":{"functionName":"traceEvents"',
  '{"$vscode":{"rootPath":"/app","locations":[]},"nodes":[',
  '{"samples":[1],"timeDeltas":[1],"nodes":[',
  '',
];

test('no beginning of a CPU profile is taken for anything else', () => {
  for (const start of own) assert.equal(kindOfFile('a.cpuprofile', bytesOf(start)), null, start);
});

test('what is gzipped is named for what is in it', async () => {
  const sentence = await sentenceOf('/a.json.gz', memoryWorld({ '/a.json.gz': gzipSync('{"snapshot":{"meta":{') }));
  assert.match(sentence, /^a\.json\.gz is a heap snapshot/);
});

test('what is gzipped twice is to be unpacked once', async () => {
  const sentence = await sentenceOf('/a.json.gz', memoryWorld({ '/a.json.gz': gzipSync(gzipSync('{"nodes":[')) }));
  assert.match(sentence, /^a\.json\.gz is packed twice: unpack it once/);
});

test('no more than its first pieces are read of a file of another kind', async () => {
  const asked: number[] = [];
  const world: World = { ...memoryWorld({}), readChunks: async () => heapSnapshot(asked) };
  assert.match(await sentenceOf('/a.cpuprofile', world), /^a\.cpuprofile is a heap snapshot/);
  assert.deepEqual(asked, [0]);
});

async function* heapSnapshot(asked: number[]): AsyncGenerator<Uint8Array, undefined> {
  for (let piece = 0; piece < 3; piece++) {
    asked.push(piece);
    yield bytesOf(`{"snapshot":{"meta":{}},"nodes":[0${',0'.repeat(10_000)}`);
  }
  return undefined;
}

async function sentenceOf(path: string, world: World): Promise<string> {
  const result = await analyze([path], world, { thresholdUs: ms(10), roots: [], sourceMaps: false });
  return result.type === 'failed' ? describeFailure(result.failure) : 'analyzed';
}
