import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameAnswer, FlameFrame } from '../../../protocol/flame.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { PageMessage } from '../../../protocol/webview.ts';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { drawnFlame } from '../../webview/drawn-flame.ts';
import {
  type FakeHost,
  type FlamePage,
  namesOf,
  openWithFrames,
  pagesOfFile,
  shown,
  until,
  withoutSpace,
} from './flame-page.ts';
import { tiered as drawnTiers } from './page-states.ts';

const deopts = [{ reason: 'wrong map', place: 'src/hot.js:9', count: 3 }];
const tiered: FlameAnswer = {
  ...drawnTiers,
  root: numbered(drawnTiers.root),
  ...(drawnTiers.tiers?.type === 'recorded'
    ? { tiers: { ...drawnTiers.tiers, code: [{ functionId: 7, notes: ['60 % of it inlined into main'], deopts }] } }
    : {}),
};
const recorded: FakeHost = { answer: () => tiered, opening: [{ ...shown, isTiers: true }] };

const newPage = pagesOfFile();

test('a recording of tiers is shown by tier, with the shares of each', async () => {
  const { page } = await open(recorded);
  assert.deepEqual(
    await page
      .locator('g.frame[data-tier]')
      .evaluateAll((all) => all.map((one) => (one instanceof SVGElement ? one.dataset['tier'] : null))),
    ['ignition', 'sparkplug', 'turbofan', 'turbofan', 'maglev', 'unknown'],
  );
  assert.match(
    withoutSpace(await page.getByRole('group', { name: 'V8 tiers' }).innerText()),
    /^Ignition 5 % Sparkplug 10 % Maglev 10 % TurboFan 70 % Unknown 5 %/,
  );
  assert.equal(await page.locator('g.frame[data-inlined]').getAttribute('name'), 'tiny');
});

test('a second run says that it is one in place of its verdict, and at half width its tiers take two rows', async () => {
  const secondRun = { ...shown, isTiers: true, isSecondRun: true, startedAt: '2026-01-31T12:00:00Z' };
  const { page, posted } = await open({ ...recorded, opening: [secondRun] });
  assert.equal(await page.getByRole('heading').innerText(), shown.title);
  await page.getByText(/^This is a second run, 2 minutes ago, .*: your lines show those of the profile\.$/).waitFor();
  assert.equal(await page.getByText(shown.verdict).count(), 0);
  await page.setViewportSize({ width: 640, height: 600 });
  const box = await boxOf(page.getByRole('group', { name: 'V8 tiers' }));
  assert.ok(box.height <= 60, `${box.height} px`);
  await page.getByRole('button', { name: 'Back to the Profile' }).click();
  await until(() => posted.at(-1)?.type === 'openProfile');
});

test('Optimized and Not optimized highlight their frames, and go off again', async () => {
  const { page } = await open(recorded);
  const names = () => namesOf(page.locator('g.frame[data-highlight]'));
  await page.getByRole('button', { name: 'Optimized', exact: true }).click();
  assert.deepEqual(await names(), ['hot', 'tiny', 'mid']);
  await page.getByRole('button', { name: 'Not optimized' }).click();
  assert.deepEqual(await names(), ['main', 'warm']);
  await page.getByRole('button', { name: 'Not optimized' }).click();
  assert.deepEqual(await names(), []);
});

test('frames can be merged, and kinds of code are one button away', async () => {
  const { page, posted } = await open(recorded);
  await page.getByRole('button', { name: 'Merge tiers' }).click();
  await page.locator('button[aria-pressed=true]', { hasText: 'Merge tiers' }).waitFor();
  await page.getByRole('button', { name: /^Colors: kinds/ }).click();
  const asked = () => posted.flatMap((message) => (message.type === 'query' ? [message.query.tiers ?? 'none'] : []));
  await until(() => asked().length === 3);
  assert.deepEqual(asked(), ['split', 'merged', 'none']);
});

test('the card has tier and deopts, and a key and a button lead to where code was thrown away', async () => {
  const { page, posted } = await open(recorded);
  await page.locator('g.frame[name=hot]').hover({ position: { x: 8, y: 8 } });
  const card = withoutSpace(await page.getByRole('tooltip').innerText());
  assert.match(
    card,
    /TurboFan · Your code .*V8 60 % of it inlined into main Deoptimized 3 × wrong map, src\/hot\.js:9/,
  );
  await page.getByRole('button', { name: 'Open where V8 threw code of hot away' }).click();
  await page.locator('g.frame[name=hot]').focus();
  await page.keyboard.press('d');
  const deopt: PageMessage = { type: 'openDeopt', functionId: 7, deopt: 0 };
  const opened = () => posted.filter(({ type }) => type === 'openDeopt');
  await until(() => opened().length === 2);
  assert.deepEqual(opened(), [deopt, deopt]);
});

test('the table says tiers too', async () => {
  const { page } = await open(recorded);
  await page.getByRole('button', { name: /^Tree/ }).click();
  const row = page.getByRole('row', { name: /^hot/ });
  assert.equal(withoutSpace(await row.innerText()), 'hot 70 ms 70 % 50 ms TurboFan src/hot.js:7');
});

test('a profile explains why it has no tiers, and offers to record them', async () => {
  const { page, posted } = await open({
    answer: ({ tiers }) => plain(tiers === undefined ? {} : { tiers: { type: 'none' } }),
  });
  await page.getByRole('button', { name: /^Colors: V8 tiers/ }).click();
  await page.getByText('V8 keeps no log while its profiler runs').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Optimized', exact: true }).isVisible(), false);
  assert.equal(await page.getByRole('button', { name: 'Open Its Flamegraph' }).isVisible(), false);
  await page.getByRole('button', { name: 'Record V8 Tiers' }).click();
  await until(() => posted.at(-1)?.type === 'recordTiers');
});

test('tiers of a second run are offered with their age', async () => {
  const { page, posted } = await open({
    answer: () => plain({ tiers: { type: 'secondRun', recording: '/rec/2', startedAt: '2026-01-31T12:00:00Z' } }),
  });
  await page.getByText('There are tiers from a second run, 2 minutes ago.').waitFor();
  await page.getByRole('button', { name: 'Open Its Flamegraph' }).click();
  assert.equal(posted.at(-1)?.type, 'openTiers');
});

test('a function that V8 replaced while it ran says so', async () => {
  const entered = (frame: FlameFrame): FlameFrame => ({
    ...frame,
    ...(frame.tiers === undefined ? {} : { tiers: { ...frame.tiers, osr: microseconds(frame.value) } }),
    children: frame.children.map(entered),
  });
  const { page } = await open({ ...recorded, answer: () => ({ ...tiered, root: entered(tiered.root) }) });
  await page.locator('g.frame[name=hot]').hover();
  await page.getByRole('tooltip').getByText('TurboFan, entered in a loop').waitFor();
});

/** With a number for the function `hot`. */
function numbered(frame: FlameFrame): FlameFrame {
  return { ...frame, functionId: frame.name === 'hot' ? 7 : -1, children: frame.children.map(numbered) };
}

function plain(tiers: Pick<FlameAnswer, 'tiers'>): FlameAnswer {
  return { ...drawnFlame('main 5 own'), ...tiers };
}

async function open(from: FakeHost): Promise<FlamePage> {
  const page = await newPage();
  await page.clock.setFixedTime('2026-01-31T12:02:30Z');
  return openWithFrames(page, from);
}
