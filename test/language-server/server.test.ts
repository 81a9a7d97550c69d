import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import {
  aboutRequest,
  columnsRequest,
  configureRequest,
  functionAtRequest,
  measuredCodeRequest,
  forgetRequest,
  hotspotsRequest,
  locateRequest,
  markdownRequest,
  recheckRequest,
  editedRequest,
  showChangeRequest,
  usualColumns,
} from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { asDrawn } from '../helpers/drawn-root.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { uriOf } from '../helpers/language-client.ts';
import { cloneLine, quoteLine, shopProfile } from '../helpers/shop-recording.ts';
import { openShop, rechecked, showRecheck } from '../helpers/shop-client.ts';

const { shop, client } = await openShop();

// The tests share what is shown: the first opens it, and one that changes it ends with it, or the next begins with it.

const marks = async () => client.marks(shop.file);
/** Of a new run. */
const opened = async () => {
  await writeFile(shop.profile, shopProfile(shop, 312));
  const answer = await client.openRecording(shop.profile);
  assert.equal(answer.type, 'opened');
};

test('a profile comes to its worst function, with progress on the way', async () => {
  const answer = await client.openRecording(shop.profile);
  assert.ok(answer.type === 'opened');
  assert.equal(answer.summary.worst?.label, 'quote');
  assert.equal(asDrawn(answer.summary.worst?.place ?? ''), 'src/shop.js:4');
  assert.equal(answer.summary.worst?.us, 312_000);
  assert.ok(client.progress.includes('file 1 of 1'));
});

test('the hot line has its figures, marked as estimated where turns are inferred', async () => {
  assert.deepEqual(await marks(), [
    {
      line: cloneLine,
      text: '≈312 ms · 1× · 1 stack',
      class: 'verySlow',
      tone: 'plain',
      within: { firstLine: quoteLine, lastLine: cloneLine + 2 },
      of: { recording: shop.profile, functionId: await idOfQuote() },
      isBehind: true,
    },
  ]);
});

test('the lens over the function has its figure, and leads to its flamegraph and to more', async () => {
  const lenses = await client.lenses(shop.file);
  assertEach(lenses, ({ range, command }) => [range.start.line, command?.title], [
    [quoteLine, '≈312 ms'],
    [quoteLine, 'flamegraph'],
    [quoteLine, 'more…'],
  ]);
});

test('what a re-check says stands on the lens and in the tree until the next run', async () => {
  const text = '312 → 41 ms';
  const of = { recording: shop.profile, functionId: await idOfQuote() };
  await showRecheck(client, of, rechecked(text));
  assert.ok((await titles()).includes(text));
  assert.ok(
    (await client.hotItems()).some(
      ({ label, figure, description }) => label === 'quote' && figure === '' && description.startsWith(text),
    ),
  );

  await client.ask(showChangeRequest, { ...of, change: { type: 'began', text: 're-checking' } });
  assert.ok(!(await titles()).includes(text));
  await client.ask(showChangeRequest, { ...of, change: null }); // It was cancelled.
  assert.ok((await titles()).includes(text));
  await client.openRecording(shop.profile); // With another threshold.
  assert.ok((await titles()).includes(text));
  await opened();
  assert.ok(!(await titles()).includes(text));
});

test('a re-check is about the code that it measured: on no surface over other code, on all when it returns', async () => {
  await client.openDocument(shop.file, shop.text);
  const fixed = shop.text.replace('return copy.length', 'return copy.length + 1');
  await client.changeDocument(shop.file, fixed);
  const of = { recording: shop.profile, functionId: await idOfQuote() };
  const edited = async (): Promise<unknown> => client.ask(editedRequest, { uri: uriOf(shop.file), which: 'finding' });
  assert.deepEqual(await edited(), [of]); // What a save would re-check.
  const text = '312 → 41 ms';
  await writeFile(shop.file, fixed);
  await client.ask(showChangeRequest, { ...of, change: { type: 'began', text: 're-checking' } });
  await writeFile(shop.file, shop.text);
  await utimes(shop.file, 0, 0); // Its lines would be unknown if it was written after the profile.
  await client.ask(showChangeRequest, { ...of, change: rechecked(text) });
  const saying = async (): Promise<readonly boolean[]> => [
    (await titles()).includes(text),
    (await client.hotItems()).some(({ description }) => description.startsWith(text)),
    (await client.hover(shop.file, quoteLine)).includes(text),
    (await client.ask(recheckRequest, of))?.text === text,
    (await marks()).map((mark) => mark.text).join() === text, // The figure of the recording is on no line.
  ];
  const everywhere = [true, true, true, true, true];
  assert.deepEqual([await saying(), await edited()], [everywhere, []]);
  for (const other of [shop.text, fixed.replace('+ 1', '+ 2'), 'module.exports = {};\n']) {
    await client.changeDocument(shop.file, other);
    assert.deepEqual((await saying()).slice(0, 4), [false, false, false, false], other);
    await client.changeDocument(shop.file, `// A comment is not other code.\n${fixed}`);
    assert.deepEqual((await saying()).slice(0, 2), [true, true]);
    await client.changeDocument(shop.file, fixed);
    assert.deepEqual(await saying(), everywhere);
  }
});

const titles = async () => (await client.lenses(shop.file)).map(({ command }) => command?.title);
const idOfQuote = async () => (await client.hotItems()).find(({ label }) => label === 'quote')?.functionId ?? -1;

test('marks move with the text, are stale where it changed, and come back by undo', async () => {
  await opened();
  await client.openDocument(shop.file, shop.text);
  await client.changeDocument(shop.file, `// one more line\n${shop.text}`);
  assertEach(await marks(), ({ line, tone }) => [line, tone], [[cloneLine + 1, 'plain']]);

  await client.changeDocument(shop.file, shop.text.replace('return copy.length', 'return copy.length + 1'));
  assertEach(await marks(), ({ text, tone }) => [text.startsWith('was '), tone], [[true, 'dim']]);

  await client.changeDocument(shop.file, 'module.exports = {};\n');
  assert.deepEqual(await marks(), []);

  await client.changeDocument(shop.file, shop.text);
  assertEach(await marks(), ({ line, tone }) => [line, tone], [[cloneLine, 'plain']]);
});

test('the hover says figures, confidence, stacks and a remedy', async () => {
  await client.openDocument(shop.file, shop.text);
  const hover = await client.hover(shop.file, cloneLine);
  assert.match(hover, /\*\*quote\*\* · ≈312 ms worst/);
  assert.match(hover, /312 samples behind the worst/);
  assert.match(hover, /handler\]\(command:hotspan\.openSource/);
  assert.match(
    hover,
    /A deep clone by JSON.+\]\(command:hotspan\.openRemedy\?%5B%7B%22page%22%3A%22json-clone%22%7D%5D\)/,
  );
});

test('a hover on a line without samples says nothing', async () => {
  assert.equal(await client.hover(shop.file, 0), '');
});

test('the tree lists the function below its file, at its heaviest line', async () => {
  const hotspots = await client.ask(hotspotsRequest, { groupBy: 'file', sortBy: 'worst' });
  const [group] = hotspots[0]?.groups ?? [];
  assert.deepEqual([group?.figure, group?.label, group?.description], ['≈312 ms', 'shop.js', 'src']);
  assert.deepEqual(
    group?.items.map(({ figure, label, description, location }) => [
      ...[figure, label, description],
      ...[location?.line, location?.inside],
    ]),
    [['≈312 ms', 'quote', `1 × · :${cloneLine + 1}`, cloneLine, true]],
  );
});

test('a marked line that leaves no room for its figures has them in the lens of its function, where that is near', async () => {
  const { text } = (await marks()).find(({ line }) => line === cloneLine) ?? assert.fail();
  const length = shop.text.split('\n')[cloneLine]?.length ?? 0;
  const gap = 6;
  const at = async (columns: number | null, codeLens = true) => {
    await client.ask(configureRequest, { metric: 'worst', codeLens, loading: false, diagnosticsUs: null });
    await client.ask(columnsRequest, { columns });
    const above = (await client.lenses(shop.file)).filter(({ range }) => range.start.line === cloneLine);
    return [(await marks()).every(({ isBehind }) => isBehind), above.map(({ command }) => command?.title)];
  };
  const needed = length + gap + text.length;
  assert.deepEqual(await at(needed), [true, []]);
  assert.deepEqual(await at(needed - 1), [false, []]);
  assert.deepEqual(await at(needed - 1, false), [true, []]);
  assert.deepEqual(await at(null), [true, []]);
  assert.ok((await titles()).includes('≈312 ms'));
  await client.ask(columnsRequest, { columns: usualColumns });
});

test('where that lens is far above, the line has a lens of its own', async () => {
  const before = shop.text.split('\n').slice(0, quoteLine + 1);
  const after = shop.text.split('\n').slice(quoteLine + 1);
  const comments = Array.from({ length: 9 }, () => '  // nothing');
  await client.openDocument(shop.file, [...before, ...comments, ...after].join('\n'));
  await client.ask(columnsRequest, { columns: 40 });
  const lenses = await client.lenses(shop.file);
  assertEach(lenses, ({ range, command }) => [range.start.line, command?.title], [
    [cloneLine + 9, '≈312 ms · 1× · 1 stack'],
    [cloneLine + 9, 'flamegraph'],
    [cloneLine + 9, 'more…'],
    [quoteLine, '≈312 ms'],
    [quoteLine, 'flamegraph'],
    [quoteLine, 'more…'],
  ]);
  await client.ask(columnsRequest, { columns: usualColumns });
  await client.changeDocument(shop.file, shop.text);
});

test('the function of a command at the cursor is that of the mark, else the hot one around it', async () => {
  const at = async (line: number) => client.ask(functionAtRequest, { uri: uriOf(shop.file), line: line0(line) });
  const place = { recording: shop.profile, functionId: await idOfQuote(), line: cloneLine };
  assert.deepEqual(await at(cloneLine), place);
  assert.deepEqual(await at(quoteLine), place);
  assert.equal(await at(0), null);
});

test('edited code can be put back as it was measured: all of it, once, and nothing else', async () => {
  const [clone = ''] = shop.text.match(/ *const copy.*/) ?? [];
  const called = 'const quote = (catalogue) => later(() => {';
  const chained = shop.text.replace(/function quote.*/, called).replace('\n}\n', '\n})\n  .catch(report);\n');
  for (const [text, line, column] of [
    [chained, quoteLine, called.indexOf('() =>')],
    [`function early() {\n}\n\n${clone}\nmodule.exports = { copy };\n`, 0, 0],
    [shop.text, quoteLine, 14],
  ] as const) {
    const file = path.join(shop.folder, `src/hot-at-${line}-${column}.js`);
    const recording = `${file}.cpuprofile`;
    await writeFile(file, text);
    await utimes(file, 0, 0);
    const profile = shopProfile({ ...shop, file }, 312)
      .replace(/"url":"[^"]+","lineNumber":7/, '"url":"node:internal/modules/helpers","lineNumber":7')
      .replace(/"quote"(.*?)"lineNumber":2,"columnNumber":14/, `""$1"lineNumber":${line},"columnNumber":${column}`);
    await writeFile(recording, profile);
    await client.openRecording(recording);
    const { functionId } = (await client.hotItems())[0] ?? assert.fail();
    const measured = async () => client.ask(measuredCodeRequest, { recording, functionId });
    assert.equal(await measured(), null);
    const edited = text.replace(clone, '  const copy = [];\n  // less').split('\n');
    await client.openDocument(file, edited.join('\n'));
    const { firstLine, lastLine, text: put } = (await measured()) ?? assert.fail('nothing to put back');
    assert.equal(edited.toSpliced(firstLine, lastLine - firstLine + 1, put).join('\n'), text);
  }
});

test('by total time functions are marked that never block for long', async () => {
  await opened();
  await client.ask(configureRequest, { metric: 'total', codeLens: true, loading: false, diagnosticsUs: null });
  const texts = (await marks()).map(({ line, text }) => [line, text]);
  await client.ask(configureRequest, { metric: 'worst', codeLens: true, loading: false, diagnosticsUs: null });
  assert.deepEqual(texts, [
    [quoteLine, '≈312 ms total · ≈312 ms worst'],
    [7, '≈312 ms total · ≈312 ms worst'],
  ]);
});

test('a frame outside the workspace is located, and said to be outside', async () => {
  const asked = { recording: shop.profile, url: `${uriOf(shop.folder)}/../secret.js`, line: 3 };
  const location = await client.ask(locateRequest, asked);
  assert.ok('inside' in location && !location.inside);
});

test('what is in no file says whose code it is, and only code of Node.js is said to be that', async () => {
  const why = async (url: string): Promise<string> => {
    const location = await client.ask(locateRequest, { recording: shop.profile, url, line: 3 });
    return 'why' in location ? location.why : location.uri;
  };
  assert.match(await why('node:fs'), /^This is code of Node\.js itself/);
  for (const url of ['https://shop.example/app.js', 'webpack://shop/./src/a.ts', '[eval]'])
    assert.equal(await why(url), `There is no file to open: this code ran from ${url}.`);
  assert.match(await why(''), /^V8 names no file for this code/);
});

test('flamegraph, stacks and Markdown are of the function that was asked for', async () => {
  const functionId = await idOfQuote();
  const asked = { recording: shop.profile, functionId };
  const [stack] = await client.about(shop.profile, 'stacks', functionId);
  assertEach(stack?.frames ?? [], ({ label }) => label, ['handler', 'quote']);
  assert.deepEqual(await client.ask(aboutRequest, asked), {
    title: 'quote · ≈312 ms worst · 1 × >10 ms · 1 stack',
    callees: [],
  });
  const callers = { recording: shop.profile, functionId: stack?.frames[0]?.functionId ?? -1 };
  const { title, callees } = await client.ask(aboutRequest, callers);
  assert.deepEqual([title, callees.map(({ label, us }) => [label, us])], ['handler', [['quote', 312_000]]]);
  assert.match(await client.ask(markdownRequest, asked), /^\*\*quote\*\* \(`src[/\\]shop/);
  const answer = await client.about(shop.profile, 'flame', { leastShare: 0, functionId });
  assert.equal(answer.totalUs, 312_000);
  const timeline = { columns: 4, lane: null };
  const { longest, estimated } = await client.about(shop.profile, 'timeline', timeline);
  assert.deepEqual([Math.max(...longest), estimated], [312_000, true]);
});

test('a file that is not a profile fails with one sentence, and the recording before stays', async () => {
  const broken = path.join(shop.folder, 'broken.cpuprofile');
  await writeFile(broken, '{"nodes": [');
  const answer = await client.openRecording(broken);
  assert.ok(answer.type === 'failed');
  assert.match(answer.message, /broken\.cpuprofile/);
  assert.equal((await marks()).length, 1);
});

test('after Clear nothing is marked, and a flamegraph that is open goes on', async () => {
  await opened();
  await client.ask(forgetRequest, { target: null });
  assert.deepEqual(await marks(), []);
  assert.deepEqual(await client.lenses(shop.file), []);
  assert.deepEqual(await client.ask(hotspotsRequest, { groupBy: 'file', sortBy: 'worst' }), []);
  const flame = await client.about(shop.profile, 'flame', { leastShare: 0 });
  assert.ok(flame.totalUs > 0);
});
