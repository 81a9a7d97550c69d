import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FlameAnswer, FunctionList } from '../../../protocol/flame.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { PageMessage } from '../../../protocol/webview.ts';
import { diffOf } from '../../helpers/drawn-diff.ts';
import { frames } from '../../show/flame/frames.ts';
import { projectFile } from '../../helpers/project.ts';
import { drawnFlame, zoomedTo } from '../../webview/drawn-flame.ts';
import { type FakeHost, type FlamePage, openWithFrames, pagesOfFile, until } from './flame-page.ts';
import { diffHost } from './recorded-page.ts';

const catalogue = drawnFlame(`
  main            0 own file:///home/me/catalogue/src/main.js:1
    handler       2 own file:///home/me/catalogue/src/order_handler.js:5
      clone      60 own file:///home/me/catalogue/src/clone.js:12
      lodash     20 dependency folded
    readFileSync 10 node node:fs:42
  (gc)            8 gc
`);
const hostile = drawnFlame(`
  </text><script>pwned()</script>&"'\u0007|\`x\` 5 own file:///home/me/catalogue/src/<b>|_a_.js:1
    b 9 own
`);
const host: FakeHost = { answer: answersOf(catalogue) };

const newPage = pagesOfFile();

test('Copy as Markdown has the headline, and the functions with their paths as they are written', async () => {
  const { page, posted } = await open();
  await page.getByRole('button', { name: 'Copy or save' }).click();
  await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
  await until(() => lastOf(posted, 'copy') !== undefined);
  assert.equal(
    lastOf(posted, 'copy')?.text,
    `### Hotspan: npm test in examples/catalogue

312 ms worst in cloneCatalogue, \`src/catalogue.js:12\`

100 ms in all

Your code 62 % · Dependencies 20 % · Node.js 10 % · GC 8 %

| Self | Total | Worst | Function | Where |
| --: | --: | --: | --- | --- |
| 60 ms | 60 ms | – | \`clone\` | \`src/clone.js:12\` |
| 2 ms | 82 ms | – | \`handler\` | \`src/order_handler.js:5\` |
| 0 ms | 92 ms | – | \`main\` | \`src/main.js:1\` |

2 functions of folded kinds are not listed.
`,
  );
});

test('of a zoomed graph it has the zoom, and the functions that are drawn there', async () => {
  const { page, posted, send } = await open();
  await page.locator('g.frame[name=handler]').click();
  await page.locator('.breadcrumb', { hasText: 'handler' }).waitFor();
  await send({ type: 'takeAway', form: 'markdown' });
  await until(() => lastOf(posted, 'copy') !== undefined);
  const text = lastOf(posted, 'copy')?.text ?? '';
  assert.match(text, /^100 ms in all · zoomed to handler\\: 82 ms, 82 % of all$/m);
  assert.match(text, /\| 20 ms \| 20 ms \| – \| `lodash` \(folded\) \| {2}\|\n\| 2 ms \| 82 ms/);
  assert.doesNotMatch(text, /readFileSync/);
});

test('Save as SVG has the shown frames with their colors, as a file that needs nothing else', async () => {
  const { page, posted } = await open();
  await page.getByRole('button', { name: 'Copy or save' }).click();
  await page.getByRole('menuitem', { name: 'Save as SVG…' }).click();
  await until(() => lastOf(posted, 'savePicture') !== undefined);
  const { data = '', form } = lastOf(posted, 'savePicture') ?? {};
  assert.equal(form, 'svg');
  assert.doesNotMatch(data, /var\(|color-mix|class=|style=|href/);
  keep('take-away.svg', data);
  const drawn = await drawnAlone(page, data);
  assert.deepEqual(drawn.names, ['All', 'main', 'handler', 'clone', 'lodash', 'readFileSync', '(gc)']);
  for (const text of ['npm test in examples/catalogue', '100 ms in all', 'Your code 62 %', '60 ms'])
    assert.ok(drawn.texts.includes(text), `${text}: ${drawn.texts.join(' | ')}`);
  assert.ok(drawn.width > 900 && drawn.isInside, JSON.stringify(drawn));
});

test('Save as PNG is the same as a picture, and a command asks for it, too', async () => {
  const { page, posted, send } = await open({ ...host, theme: 'High Contrast' });
  await send({ type: 'takeAway', form: 'png' });
  await until(() => lastOf(posted, 'savePicture') !== undefined);
  const bytes = Buffer.from(lastOf(posted, 'savePicture')?.data ?? '', 'base64');
  keep('take-away.png', bytes);
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  assert.ok(width > 1800 && height > 300, `${width} × ${height}`);
  assert.equal(await page.locator('.notice').isVisible(), false);
});

test('callers and callees are taken away together, and of a list there is no picture', async () => {
  const { page, posted, send } = await open();
  await page.getByRole('button', { name: /^Tree/ }).click();
  await page.getByRole('button', { name: 'Copy or save' }).click();
  await page.getByText('A picture needs a graph: choose Graph, or Callers and callees.').waitFor();
  await page.getByRole('menuitem', { name: 'Save as PNG…' }).click({ force: true });
  await page.keyboard.press('Escape');
  await send({ type: 'takeAway', form: 'svg' });
  await page.locator('.notice', { hasText: 'A picture needs a graph' }).waitFor();
  assert.equal(lastOf(posted, 'savePicture'), undefined);
});

test('a picture waits for all frames, and has more than the largest alone', async () => {
  const { root, ...coarse } = zoomedTo(catalogue, '');
  const few = { ...coarse, root: { ...root, hiddenUs: microseconds(8_000), children: root.children.slice(0, 1) } };
  const all = later<FlameAnswer>();
  const { page, posted, send } = await open({
    answer: ({ namedShare }) => (namedShare === undefined ? all.promise : few),
  });
  await page.locator('.stage[aria-busy=true] g.frame[name=handler]').waitFor();
  await send({ type: 'takeAway', form: 'svg' });
  await send({ type: 'takeAway', form: 'png' });
  assert.equal(lastOf(posted, 'savePicture'), undefined);
  all.resolve(catalogue);
  await until(() => posted.filter(({ type }) => type === 'savePicture').length === 2);
  assert.match(lastOf(posted, 'savePicture', 'svg')?.data ?? '', /\(gc\)/);
});

test('what is copied is what was on screen when it was asked for', async () => {
  const functions = later<FlameAnswer>();
  const answer = answersOf(catalogue);
  const { page, posted, send } = await open({
    answer: (query) => (query.functions === undefined ? answer(query) : functions.promise),
  });
  await send({ type: 'takeAway', form: 'markdown' });
  await until(() => posted.some((message) => message.type === 'query' && message.query.functions !== undefined));
  await page.locator('g.frame[name=handler]').click();
  await page.locator('.breadcrumb', { hasText: 'handler' }).waitFor();
  functions.resolve(await answer({ functions: { by: 'self', isDescending: true }, leastShare: 0 }));
  await until(() => lastOf(posted, 'copy') !== undefined);
  assert.doesNotMatch(lastOf(posted, 'copy')?.text ?? '', /zoomed to/);
});

test('names of strangers are texts in every form', async () => {
  const { page, posted, send } = await open({ answer: answersOf(hostile) });
  for (const form of ['markdown', 'svg', 'png'] as const) await send({ type: 'takeAway', form });
  await until(() => posted.filter(({ type }) => type === 'copy' || type === 'savePicture').length === 3);
  const svg = lastOf(posted, 'savePicture', 'svg')?.data ?? '';
  assert.equal((await drawnAlone(page, svg)).elements.includes('script'), false);
  const text = lastOf(posted, 'copy')?.text ?? '';
  const row = text.split('\n').find((line) => line.includes('pwned')) ?? '';
  assert.match(row, /\| `` <\/text>.*\\\|`x` `` \| `src\/<b>\\\|_a_\.js:1` \|$/);
});

test('of a diff it has both self times, and what is too narrow to be drawn is said', async () => {
  const { flame } = await diffOf(['ms 312 40\nmain main\nclone sort'], ['ms 41 95\nmain main\nclone sort']);
  const answer: FakeHost['answer'] = (query) => {
    const { root, ...drawn } = flame.answer(query);
    return { ...drawn, root: { ...root, hiddenUs: microseconds(1_500) } };
  };
  const { posted, send } = await open({ ...diffHost(flame), answer });
  await send({ type: 'takeAway', form: 'markdown' });
  await until(() => lastOf(posted, 'copy') !== undefined);
  const text = lastOf(posted, 'copy')?.text ?? '';
  assert.match(text, /\| Self before \| Self now \| Difference \|[^]*\| 312 ms \| 41 ms \| −271 ms \| `clone` \|/);
  assert.match(text, /\n\nWhat has no sample now is not in this table\.\n\n1\.5 ms .*, and not in this table\.$/m);
});

test('what is not drawn yet, or is too tall, is said in a sentence', async () => {
  const deep = Array.from({ length: 900 }, (_, level) => `${'  '.repeat(level)}f${level} 1 own`).join('\n');
  const { page, send } = await open({ answer: answersOf(drawnFlame(deep)) });
  await send({ type: 'takeAway', form: 'png' });
  await page.getByText('This graph is too tall for a PNG: save it as SVG, or zoom first.').waitFor();
  await send({ type: 'failed', id: null, text: 'The recording is gone.' });
  await send({ type: 'takeAway', form: 'svg' });
  await page.locator('.notice', { hasText: 'The recording is gone.' }).waitFor(); // That comes first.
  assert.equal(await page.getByRole('button', { name: 'Copy or save' }).isDisabled(), true);
});

test('the menu is walked by keyboard, and gives the focus back', async () => {
  const { page, posted } = await open();
  await page.getByRole('button', { name: 'Copy or save' }).focus();
  await page.keyboard.press('Enter');
  const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.textContent);
  assert.equal(await focused(), 'Copy as Markdown');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'Save as PNG…');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Copy or save');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(() => lastOf(posted, 'copy') !== undefined);
});

/** A promise that is kept from outside. */
function later<Value>() {
  const kept: { resolve: (value: Value) => void } = { resolve: () => {} };
  const promise = new Promise<Value>((resolve) => {
    kept.resolve = resolve;
  });
  return { promise, resolve: (value: Value) => kept.resolve(value) };
}

/** Answers with the functions as a server would: those of folded kinds are only counted. */
function answersOf(flame: FlameAnswer): FakeHost['answer'] {
  const rows = framesOf(flame).filter(({ category }) => category === 'own');
  const list: FunctionList = { rows: rows.toSorted((a, b) => b.selfUs - a.selfUs), more: 0, folded: 2 };
  return ({ zoom, functions }) => ({
    ...zoomedTo(flame, zoom ?? ''),
    ...(functions === undefined ? {} : { functions: list }),
  });
}

function framesOf({ root }: FlameAnswer): readonly FlameAnswer['root'][] {
  return frames(root)
    .slice(1)
    .map((frame) => ({ ...frame, hiddenUs: microseconds(0) }));
}

/** What the picture shows in a page of its own, where nothing of ours is loaded. */
async function drawnAlone(page: FlamePage['page'], svg: string) {
  const alone = await (await page.context().browser()?.newContext())?.newPage();
  assert.ok(alone);
  await alone.setContent(svg.slice(svg.indexOf('<svg')));
  const drawn = await alone.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const [picture] = document.querySelectorAll('svg');
    const titles = [...parsed.querySelectorAll('g > title')].map((one) => one.textContent.split(',')[0] ?? '');
    const { width = 0, height = 0 } = picture?.getBoundingClientRect() ?? {};
    const boxes = [...document.querySelectorAll('svg > g')].map((one) => one.getBoundingClientRect());
    return {
      names: titles,
      elements: [...parsed.querySelectorAll('*')].map(({ localName }) => localName),
      texts: [...document.querySelectorAll('text')].map((one) => one.textContent),
      width,
      isInside: boxes.every((box) => box.left >= 0 && box.right <= 8 + width && box.bottom <= 8 + height),
    };
  }, svg);
  assert.equal(drawn.elements.includes('parsererror'), false);
  await alone.context().close();
  return drawn;
}

function lastOf<Type extends PageMessage['type']>(posted: readonly PageMessage[], type: Type, form?: string) {
  return posted.findLast(
    (message): message is Extract<PageMessage, { type: Type }> =>
      message.type === type && (form === undefined || ('form' in message && message.form === form)),
  );
}

function keep(name: string, data: string | Buffer): void {
  mkdirSync(projectFile('test/e2e/screenshots'), { recursive: true });
  writeFileSync(projectFile(`test/e2e/screenshots/${name}`), data);
}

async function open(from: FakeHost = host): Promise<FlamePage> {
  return openWithFrames(await newPage(), from);
}
