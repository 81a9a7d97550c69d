import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { type FakeHost, type FlamePage, openWithFrames, pagesOfFile, shown, until } from './flame-page.ts';
import { usual } from './page-states.ts';

const newPage = pagesOfFile();

test('Tab reaches every control there is, in the order in which they stand, and ends in the graph', async () => {
  const { page } = await open();
  const reached = await namesByTab(page);
  const there = await page
    .locator('header button:visible:enabled, header input:visible, .legend input:visible')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.closest('label')?.textContent ?? ''));
  assert.deepEqual(reached.slice(0, -1), there);
  assert.match(reached.at(-1) ?? '', /^All, /);
});

test('every view is chosen, walked and left without a mouse, and nothing is lost on the way', async () => {
  const { page, posted } = await open();
  await press(page, 'Callers and callees', 'Enter');
  await page.locator('.callers g.frame').first().waitFor();
  await page.keyboard.press('Tab');
  await press(page, 'Functions', 'Space');
  await page.locator('.functions tbody tr').first().waitFor();
  await tabTo(page, (name) => name.startsWith('main'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(() => posted.some(({ type }) => type === 'openSource'));
  await page.keyboard.press('C'); // With Caps Lock.
  await page.locator('.callers g.frame').first().waitFor();
  await press(page, 'Tree', 'Enter');
  await tabTo(page, (name) => name.startsWith('All'));
  for (const key of ['ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  await page.locator('.breadcrumb li').first().waitFor();
  for (const key of ['ArrowDown', '-']) await page.keyboard.press(key);
  await page.locator('.breadcrumb [aria-current]', { hasText: 'main' }).waitFor();
  await page.keyboard.press('C');
  await page.locator('.around-line', { hasText: /^list: / }).waitFor();
  await press(page, 'Graph', 'Enter');
  await page.keyboard.press('Escape');
  await page.locator('.breadcrumb').waitFor({ state: 'hidden' });
  await press(page, 'Copy or save', 'Enter');
  await page.keyboard.press('Enter');
  await until(() => posted.some(({ type }) => type === 'copy'));
  assert.equal(await focusedName(page), 'Copy or save');
});

test('what has the focus can be seen: each control differs from how it looks without it', async () => {
  for (const theme of ['Dark 2026', 'Light 2026', 'High Contrast', 'High Contrast Light'] as const) {
    const { page } = await open({ ...usual, theme });
    const hidden = await page.evaluate(async () => {
      const controls = [...document.querySelectorAll<HTMLElement>('header button, header input, .legend input')];
      const seen = controls.filter((one) => one.checkVisibility() && !one.matches(':disabled'));
      const looks = (one: HTMLElement): string =>
        [one, one.closest<HTMLElement>('.search') ?? one].map(lookOf).join(' ');
      return seen.flatMap((one) => {
        const without = looks(one);
        one.focus({ focusVisible: true });
        const isSame = looks(one) === without;
        one.blur();
        return isSame ? [one.outerHTML.slice(0, 100)] : [];
      });

      // oxlint-disable-next-line unicorn/consistent-function-scoping -- in the page, which gets this one function alone
      function lookOf(one: HTMLElement): string {
        const { outlineStyle, outlineWidth, outlineColor, borderColor } = getComputedStyle(one);
        return [outlineStyle, outlineWidth, outlineColor, borderColor].join(' ');
      }
    });
    assert.deepEqual(hidden, [], theme);
  }
});

test('each control has its name as a tooltip, for the mouse and for the keyboard', async () => {
  const { page } = await open();
  for (const width of [500, 800, 1239]) {
    await page.setViewportSize({ width, height: 600 });
    const tools = page.locator('.tools button.tool:visible:enabled');
    assert.ok((await tools.count()) >= 9);
    for (const tool of await tools.all()) {
      const name = await tool.getAttribute('aria-label');
      assert.equal(await tool.getAttribute('title'), name);
      const shown = await tool.evaluate((one: HTMLElement) => {
        const textOf = (): string => getComputedStyle(one, '::after').content;
        const without = textOf();
        one.focus({ focusVisible: true });
        return [without, textOf()];
      });
      assert.deepEqual(shown, ['none', JSON.stringify(name)]);
    }
  }
});

test('at 200 % in a panel of 500 px nothing is cut off or needs scrolling sideways', async () => {
  for (const view of [/^Graph/, /^Callers and callees/, /^Functions/, /^Tree/]) {
    const { page } = await open();
    await page.setViewportSize({ width: 250, height: 400 }); // What is left of 500 × 800 px.
    await page.getByRole('button', { name: view }).click();
    await until(async () => (await page.evaluate(() => document.documentElement.scrollWidth)) === 250);
    const cut = await page
      .locator('header :is(button, input, .verdict):visible, .legend .entry:visible, .take-popup:visible')
      .evaluateAll((all) =>
        all.flatMap((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left < 0 || right > window.innerWidth ? [`${one.outerHTML.slice(0, 80)} ${left}–${right}`] : [];
        }),
      );
    assert.deepEqual(cut, [], String(view));
    await page.getByRole('button', { name: 'Copy or save' }).click();
    const menu = await boxOf(page.locator('.take-popup'));
    assert.ok(menu.x >= 0 && menu.x + menu.width <= 250, JSON.stringify(menu));
    assert.ok((await boxOf(page.locator('.stage'))).height > 120, 'there is room for the frames');
    await page.close();
  }
});

test('with reduced motion nothing moves by itself', async () => {
  const { page, send } = await open();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await send({ type: 'loading', text: 'Reading the recording…' });
  await send({ ...shown, recording: 'recording-2' });
  const moves = await page.evaluate(() => document.getAnimations().some(({ playState }) => playState === 'running'));
  assert.equal(moves, false);
});

test('view, zoom, search and order are there again after a reload of the page', async () => {
  const { page } = await open();
  await page.locator('g.frame[name=price]').focus();
  await page.keyboard.press('Space');
  await page.locator('.breadcrumb', { hasText: 'price' }).waitFor();
  await press(page, 'Functions', 'Enter');
  await page.getByRole('button', { name: 'Self' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('clone');
  await page.locator('.functions tr[data-match]').waitFor();
  await page.reload();
  await page.locator('.functions tr[data-match]').waitFor();
  assert.equal(await page.getByRole('textbox').inputValue(), 'clone');
  assert.equal(await page.getByRole('columnheader', { name: 'Self' }).getAttribute('aria-sort'), 'descending');
  await press(page, 'Graph', 'Enter');
  await page.locator('.breadcrumb', { hasText: 'price' }).waitFor();
});

/** Presses a key on the control with this name, which Tab has reached. */
async function press(page: Page, name: string, key: string): Promise<void> {
  await tabTo(page, (one) => one.startsWith(name));
  await page.keyboard.press(key);
}

const mostTabs = 60;

async function tabTo(page: Page, isIt: (name: string) => boolean): Promise<void> {
  for (let tab = 0; tab < mostTabs; tab++) {
    if (isIt(await focusedName(page))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach it: ${isIt.toString()}`);
}

/** The names that Tab goes through, until the graph has the focus. */
async function namesByTab(page: Page): Promise<readonly string[]> {
  const names: string[] = [];
  while (names.length < mostTabs && names.at(-1)?.startsWith('All, ') !== true) {
    await page.keyboard.press('Tab');
    names.push(await focusedName(page));
  }
  return names;
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const label = focused?.closest('label') ?? focused;
    return focused?.getAttribute('aria-label') ?? label?.textContent ?? '';
  });
}

async function open(from: FakeHost = usual): Promise<FlamePage> {
  return openWithFrames(await newPage(), from);
}
