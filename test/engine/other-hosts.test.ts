import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { resultView } from '../../cli/views/result-view.ts';
import { isWithin } from '../../protocol/machine-path.ts';
import { filePathOf, resolveReference } from '../../engine/read/files/file-path.ts';
import type { World } from '../../engine/read/files/world.ts';
import { detailsOf } from '../../language-server/queries/function-details.ts';
import { locate } from '../../language-server/queries/locate.ts';
import { assertNone } from '../helpers/assert-each.ts';
import { startLine } from '../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { readSources } from '../../cli/views/shown-code.ts';
import { shownUrlsOf } from '../../cli/views/hotspot-view.ts';
import { analyzedIn } from '../helpers/analyzed.ts';

const starts = [
  ...String.raw`// \/ /// /\/ \// //./ //../ /./ //?/UNC/ //./UNC/ /??/UNC/ /a/..// /a/__virtual__/b/0// /__virtual__/b/0//
    /a/__virtual__/b/1// file:// file://// file:///// file:///%2F file:///%2f%2f file:///%5C file:///%5c%5c
    file://%2F%2F file:///%2F%5C file:///./%2F file:///a/..// file:///a/../%2F file:///%2e%2e%2f%2f
    file:///%2E%2E/%2F file:///a%2f%2e%2e%2f%2f FILE://// File:// file://localhost// file://127.0.0.1/ file://user@
    file:////?/UNC/ file:///%3F%3F/UNC/ file:///%5C%3F%3F%5CUNC%5C webpack://// webpack://x// webpack-internal:////
    http://localhost// http://localhost/%2F http://localhost/@fs// http://localhost:5173/@fs/%2F smb://`.split(/\s+/),
  ...String.raw`\\ /\ \\\ \\?\UNC\ \\.\UNC\ /\?\UNC\ \??\UNC\ /??\UNC\ /../\ /$$virtual/b/0/\ //?\ //.\pipe\
    file:///\ file:\\ file:\\\\ file:/\/\ http://127.0.0.1/\ `
    .trim()
    .split(/\s+/),
  ...['file:/\t//\n/', 'file: ////', ' //', '\t\\\\', '\u0000//'],
];

/** Ends as what is read by its name does. */
const spellings = starts.map((start) => `${start}evil.example/share/a.js`);

/** Keeps every path that anybody asks for. */
function listening(world: World): { readonly world: World; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const note =
    <Answer>(ask: (path: string) => Promise<Answer>) =>
    async (path: string): Promise<Answer> => {
      asked.push(path);
      return ask(path);
    };
  return {
    asked,
    world: {
      readFile: note(world.readFile),
      listFiles: note(world.listFiles),
      listFolders: note(async () => []),
      sizeOf: note(async () => undefined),
      changedAt: note(async () => undefined),
      realPath: note(async () => undefined),
    },
  };
}

function profileOf(urls: readonly string[], notes: object): string {
  const frame = (url: string, lineNumber: number): object => {
    return { functionName: 'f', scriptId: '1', url, lineNumber, columnNumber: 0 };
  };
  const children = urls.map((_, index) => index + 2);
  const nodes = urls.map((url, index) => {
    return { id: index + 2, locationId: index, hitCount: 20, callFrame: frame(url, 0) };
  });
  const samples = children.flatMap((id) => Array.from({ length: 20 }, () => id));
  return JSON.stringify({
    nodes: [{ id: 1, locationId: 0, callFrame: { ...frame('', -1), functionName: '(root)' }, children }, ...nodes],
    samples,
    timeDeltas: samples.map(() => 1000),
    startTime: 1e6,
    endTime: 2e6,
    $vscode: notes,
  });
}

/** A recording that names it wherever a file can name another. */
function recordingThatNames(spelling: string): Readonly<Record<string, string | Uint8Array>> {
  const map = (more: object): string =>
    JSON.stringify({ version: 3, names: [], mappings: 'AAAA', sources: [spelling], ...more });
  const json = JSON.stringify;
  const scripts = ['/app/dist/rooted.js', '/app/dist/named.js', '/app/dist/noted.js', '/app/dist/linked.js'];
  const [rooted, named, noted] = scripts;
  const source = { path: spelling, sourceReference: 0 };
  const callFrame = { functionName: 'f', scriptId: '1', url: noted, lineNumber: 0, columnNumber: 0 };
  return {
    '/rec/recording.json': json({ version: 2, command: ['node', spelling], cwd: spelling, intervalUs: 1000 }),
    '/rec/events.jsonl': startLine('7-0-a', ['node', spelling], { at: 1e6 }),
    '/rec/7-0-a.0.cpuprofile': profileOf([spelling, ...scripts], {
      locations: [{ callFrame, locations: [{ lineNumber: 1, columnNumber: 1, source }] }],
    }),
    '/rec/7-0-a.maps.jsonl': [
      { url: rooted, map: map({ sourceRoot: spelling, sources: ['b.js'] }) },
      { url: named, map: map({}) },
      { url: spelling, map: map({}) },
      { url: `${spelling}.bundled_x.mjs`, gone: 'f()' },
    ]
      .map((line) => json(line))
      .join('\n'),
    '/rec/7-0-a.texts.jsonl': `${json({ url: spelling, text: '3-1' })}\n${json({ url: scripts[3], text: '3-2' })}`,
    '/rec/3-2.text.gz': gzipSync(`f()\n//# sourceMappingURL=${spelling}.map`),
    '/app/dist/linked.js': `f()\n//# sourceMappingURL=${spelling}.map`,
    '/rec/isolate-0x1-9-9-1795283043935.v8.log': `v8-version,13,6,0,0,0\ncode-creation,JS,10,1,0x10,9,f ${spelling}:1:1,0x1,~\ntick,0x11,2,0,0x0,0\n`,
  };
}

const opensHost = /^[\\/]{2}|^[\\/]\?\?[\\/]/;

describe('no other host is asked for a file, whatever names one', () => {
  for (const spelling of spellings) {
    for (const roots of [['/app'], []]) {
      test(`${JSON.stringify(spelling)}, ${roots.length === 0 ? 'without a workspace' : 'in one'}`, async () => {
        const { world, asked } = listening(memoryWorld(recordingThatNames(spelling)));
        const { analysis, textOf } = await analyzedIn(world, { roots, currentFolder: '/app' });
        const urls = shownUrlsOf(analysis);
        resultView(analysis, { all: true, sources: await readSources(urls, textOf, '/app') });
        for (const { id, url, path } of analysis.functions.functions) {
          await textOf(url);
          detailsOf(analysis, id);
          assert.doesNotMatch(path ?? '', opensHost);
          for (const place of [{ functionId: id }, { url, line: 1 }, { url: spelling, line: 1 }]) {
            const uri = locate(analysis, roots, place)?.uri ?? 'file:///';
            assert.match(decodeURIComponent(uri), /^file:\/\/\/(?![\\/])/);
          }
        }
        assert.ok(asked.length > 0);
        assertNone(asked, (path) => opensHost.test(path));
      });
    }
    test(`${JSON.stringify(spelling)} is not a path, alone or beside a script`, () => {
      assert.doesNotMatch(filePathOf(spelling) ?? '', opensHost);
      assert.doesNotMatch(filePathOf(resolveReference(spelling, '/app/dist/a.js')) ?? '', opensHost);
      assert.doesNotMatch(filePathOf(resolveReference(spelling, 'C:\\app\\a.js')) ?? '', opensHost);
    });
  }
});

for (const start of [
  '/net/',
  'file:///net/',
  '/app/../net/',
  '/Network/',
  'file:///System/Volumes/Data/net/',
  '/afs/',
  '/proc/1/cwd/net/',
]) {
  test(`nothing is mounted, whatever names a folder in ${start}, but of the host that the person opened`, async () => {
    const asks = async (roots: readonly string[]): Promise<boolean> => {
      const { world, asked } = listening(memoryWorld(recordingThatNames(`${start}evil.example/share/a.js`)));
      const { analysis, textOf } = await analyzedIn(world, { roots });
      for (const { url } of analysis.functions.functions) await textOf(url);
      return asked.some((path) => path.startsWith('/') && path.includes('evil.example'));
    };
    const place = filePathOf(`${start}evil.example/share`) ?? '';
    assert.deepEqual([await asks(['/app']), await asks([]), await asks([place])], [false, false, true]);
  });
}

test('what climbs out of the workspace by escaped dots is outside of it', () => {
  for (const url of ['file:///app/%2e%2e%2fetc/a.js', 'file:///app/x%2F..%2F..%2Fetc/a.js', '/app/../etc/a.js'])
    assert.equal(filePathOf(url), '/etc/a.js');
});

test('a workspace on a share has its files there, and none of another share', () => {
  const opened = ['\\\\Server\\projects\\shop'];
  assert.ok(isWithin('//server/projects/shop/src/a.ts', opened));
  assert.ok(isWithin('\\\\server\\projects\\package.json', opened));
  assert.ok(isWithin('/app/a.ts', opened));
  for (const path of [
    '//server/other/a.ts',
    '//evil/projects/a.ts',
    '//server/../evil/projects/a.ts',
    '\\\\?\\UNC\\evil\\a',
  ])
    assert.ok(!isWithin(path, opened), path);
  assert.ok(!isWithin('\\\\?\\UNC\\evil\\a', ['\\\\?\\UNC\\server\\projects']));
});
