import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { flameOf } from '../../../../show/flame/flame.ts';
import { analysisOfProcesses, appPath, appUrl, functionsIn, linesIn, reportOfProcesses } from './recorded-texts.ts';

const before = `function work() {
  const end = 120;
  spin(end);
  return end;
}
work();
`;
const moved = `// one\n// two\n${before}`;
const edited = before.replace('120', '240');

const ranBefore = { name: 'work', start: 1, column: 13, hot: 3, text: before };
const ranMoved = { name: 'work', start: 3, column: 13, hot: 5, text: moved };
const ranEdited = { ...ranBefore, text: edited };

describe('a file that was edited while it was recorded', () => {
  test('a function that only moved is one, where it ran last', async () => {
    const report = await reportOfProcesses([ranBefore, ranMoved], { [appPath]: moved });
    assert.deepEqual(functionsIn(report), [`work ${appUrl}:3 2 ×`]);
    assert.deepEqual(linesIn(report), [`${appUrl}:5`]);
  });

  test('what ran last is the process that began last, whatever was recorded of it first', async () => {
    const report = await reportOfProcesses([ranMoved, ranBefore], { [appPath]: before });
    assert.deepEqual([functionsIn(report), linesIn(report)], [[`work ${appUrl}:1 2 ×`], [`${appUrl}:3`]]);
  });

  test('a function that was edited itself is two, and the older one has changed', async () => {
    const report = await reportOfProcesses([ranBefore, ranEdited], { [appPath]: edited });
    assert.deepEqual(functionsIn(report), [`work ${appUrl}:1 1 ×`, `work ${appUrl}:1 1 × changed`]);
    assert.deepEqual(linesIn(report), [`${appUrl}:3`, `${appUrl}:3 changed`]);
  });

  test('a process that was killed before it could say what it ran had the text in which its functions stand', async () => {
    const { text: _, ...killed } = ranBefore;
    const { text: __, ...killedLater } = ranMoved;
    const report = await reportOfProcesses([ranBefore, killed, ranMoved, killedLater], { [appPath]: moved });
    assert.deepEqual([functionsIn(report), linesIn(report)], [[`work ${appUrl}:3 4 ×`], [`${appUrl}:5`]]);
  });

  test('a function of TypeScript from which Node took the types is the one with its types', async () => {
    const [url, path] = ['file:///app/src/a.ts', '/app/src/a.ts'];
    const typed = `function work(ms: number): void {\n  const end: number = ms;\n  spin(end);\n}\nwork(1);\n`;
    const stripped = typed.replaceAll(/: (number|void)/g, (type) => ' '.repeat(type.length));
    const now = `// one\n// two\n${typed}`;
    const ran = { ...ranBefore, url, text: `${stripped}\n\n//# sourceURL=${url}` };
    const last = { ...ranMoved, url, text: now };
    assert.deepEqual(functionsIn(await reportOfProcesses([ran, last], { [path]: now })), [`work ${url}:3 2 ×`]);

    const other = now.replace('spin(end)', 'spon(end)');
    const report = await reportOfProcesses([ran, { ...last, text: other }], { [path]: other });
    assert.deepEqual(functionsIn(report), [`work ${url}:1 1 × changed`, `work ${url}:3 1 ×`]);
  });

  test('the whole module is one, whatever was edited in it', async () => {
    const module = { name: '', start: 1, column: 0, hot: 6 };
    const last = { ...module, hot: 8, text: moved };
    const report = await reportOfProcesses([{ ...module, text: before }, last], { [appPath]: moved });
    assert.deepEqual(functionsIn(report), [` ${appUrl}:1 2 ×`]);
  });

  test('of two functions that read the same each keeps its own', async () => {
    const two = `const a = [\n  (x) =>\n    spin(x),\n];\nconst b = [\n  (x) =>\n    spin(x),\n];\n`;
    const report = await reportOfProcesses(
      [
        { name: '', start: 6, column: 2, hot: 7, text: two },
        { name: '', start: 8, column: 2, hot: 9, text: `// one\n// two\n${two}` },
      ],
      { [appPath]: `// one\n// two\n${two}` },
    );
    assert.deepEqual(linesIn(report), [`${appUrl}:9`]);
  });
});

describe('what a compiler made', () => {
  const mapTo = (source: string, lines: number, content?: string): string =>
    JSON.stringify({
      version: 3,
      sources: [source],
      names: [],
      mappings: ['AAAA', ...Array.from({ length: lines - 1 }, () => 'AACA')].join(';'),
      ...(content === undefined ? {} : { sourcesContent: [content] }),
    });

  test('in memory is one function by the sources in its maps', async () => {
    const url = 'file:///app/src/a.ts';
    const [first, last] = [ranBefore, ranMoved].map((ran) => {
      return { ...ran, url, map: mapTo('/app/src/a.ts', ran.text.split('\n').length, ran.text) };
    });
    assert.ok(first !== undefined && last !== undefined);
    const report = await reportOfProcesses([first, last], { '/app/src/a.ts': moved });
    assert.deepEqual(linesIn(report), ['/app/src/a.ts:5']);
    assert.deepEqual(functionsIn(report), ['work /app/src/a.ts:3 2 ×']);
  });

  test('and wrote to the disk is one function by the built text', async () => {
    const url = 'file:///app/dist/a.js';
    const [first, last] = [ranBefore, ranMoved].map((ran) => {
      return { ...ran, url, map: mapTo('../src/a.ts', ran.text.split('\n').length) };
    });
    assert.ok(first !== undefined && last !== undefined);
    const report = await reportOfProcesses([first, last], { '/app/src/a.ts': moved, '/app/dist/a.js': moved });
    assert.deepEqual(linesIn(report), ['/app/src/a.ts:5']);
    assert.deepEqual(functionsIn(report), ['work /app/src/a.ts:3 2 ×']);
  });
});

describe('a file that was edited after it was recorded', () => {
  test('has the lines of the text that ran, and is named', async () => {
    const report = await reportOfProcesses([ranBefore], { [appPath]: moved });
    assert.deepEqual([functionsIn(report), linesIn(report)], [[`work ${appUrl}:1 1 ×`], [`${appUrl}:3`]]);
    assert.deepEqual(report.recording.changedFiles, [appPath]);
  });

  test('a function whose text is another one has changed', async () => {
    const report = await reportOfProcesses([ranBefore], { [appPath]: `// one\n${edited}` });
    assert.deepEqual(
      [functionsIn(report), linesIn(report)],
      [[`work ${appUrl}:1 1 × changed`], [`${appUrl}:3 changed`]],
    );
  });

  test('is said on the frames of its functions that have changed, and of no other', async () => {
    const frameOf = async (now: string): Promise<boolean | undefined> => {
      const analysis = await analysisOfProcesses([ranBefore], { [appPath]: now });
      const { root } = flameOf(analysis, { leastShare: 0 });
      return root.children.find(({ name }) => name === 'work')?.changed;
    };
    assert.deepEqual([await frameOf(edited), await frameOf(moved)], [true, undefined]);
  });

  test('line breaks of another system are not a change, nor is a file that is not here', async () => {
    const files = [{ [appPath]: `\uFEFF${before.replaceAll('\n', '\r\n')}` }, {}];
    for (const more of files) {
      const report = await reportOfProcesses([ranBefore], more);
      assert.deepEqual([functionsIn(report), report.recording.changedFiles], [[`work ${appUrl}:1 1 ×`], undefined]);
    }
  });
});

describe('texts that cannot be used', () => {
  const bytes = gzipSync(before);
  const bomb = gzipSync(' '.repeat(50_000_000));
  const kept = `/rec/${before.length.toString(36)}-0.text.gz`;
  for (const [what, more] of Object.entries({
    'cut off': { [kept]: bytes.subarray(0, bytes.length - 20) },
    'of another kind': { [kept]: 'no gzip' },
    'far too long': { [kept]: bomb },
    missing: {},
    'named outside of the recording': {
      '/rec/7-0-1.texts.jsonl': JSON.stringify({ url: appUrl, text: '../../etc/passwd' }),
    },
    'without a hash': { '/rec/7-0-1.texts.jsonl': `${JSON.stringify({ url: appUrl })}\n[1]\nnull\n{"url"` },
  })) {
    test(`${what} are none: the text of today stands in`, async () => {
      const { text: _, ...ran } = ranMoved;
      const named = { url: appUrl, text: `${before.length.toString(36)}-0` };
      const report = await reportOfProcesses([ran], {
        [appPath]: moved,
        '/rec/7-0-1.texts.jsonl': JSON.stringify(named),
        ...more,
      });
      assert.deepEqual([functionsIn(report), report.recording.changedFiles], [[`work ${appUrl}:3 1 ×`], undefined]);
    });
  }
});
