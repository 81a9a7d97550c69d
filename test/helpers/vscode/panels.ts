import type { FrameLocator, Locator, Page } from 'playwright-core';
import { untilItWorks } from './until-it-works.ts';

/** The tab of a file, while it is the active one. */
export function activeTab(page: Page, name: string): Locator {
  return page.locator(`.tab.active[data-resource-name="${name}"]`);
}

/** Messages in the corner. */
export function toasts(page: Page): Locator {
  return page.locator('.notifications-toasts .notification-list-item-message');
}

/** Waits until no more than so many messages are in the corner: one that goes is there for a moment more. */
export async function toastsAreAtMost(page: Page, count: number): Promise<void> {
  await toasts(page).nth(count).waitFor({ state: 'detached' });
}

/** A button of a message in the corner. */
export function toastButton(page: Page, label: string): Locator {
  return page.locator('.notifications-toasts .monaco-button', { hasText: label });
}

/** The entry of the status bar that has this text. */
export function statusBarEntry(page: Page, text: string | RegExp): Locator {
  return page.locator('.part.statusbar .statusbar-item', { hasText: text });
}

/** The rows of a view of the side bar, by the view's title. */
export function treeRows(page: Page, title: string): Locator {
  return view(page, title).locator('.monaco-list-row');
}

/**
 * Opens a group of a tree. VS Code loses a click while it redraws the tree. A click that only takes long has given the row
 * the focus: a second click would close the group, but an arrow key only opens it.
 */
export async function expandRow(rows: Locator, text: string): Promise<void> {
  const row = rows.filter({ hasText: text });
  const page = row.page();
  const expanded = row.and(page.locator('[aria-expanded="true"]'));
  const focused = row.and(page.locator('.focused'));
  await row.waitFor();
  await untilItWorks(async (limit) => {
    if ((await expanded.count()) > 0) return;
    if ((await focused.count()) === 0) await clickOnce(row, limit);
    else await page.keyboard.press('ArrowRight');
    await expanded.waitFor({ timeout: limit });
  }, `"${text}" does not open.`);
}

/** Clicks what is there within `limit` ms. The click itself has more time: one that is cut short may have worked. */
export async function clickOnce(row: Locator, limit: number): Promise<void> {
  await row.waitFor({ timeout: limit });
  await row.click({ timeout: 15_000 });
}

/** Clicks until what the click leads to shows: a click on what moves meanwhile is lost. */
export async function clickUntil(place: Locator, shown: Locator): Promise<void> {
  await untilItWorks(async (limit) => {
    if (await shown.first().isVisible()) return;
    await clickOnce(place, limit);
    await shown.first().waitFor({ timeout: limit });
  }, `A click on ${place.toString()} does not lead to ${shown.toString()}.`);
}

/** Holds the mouse over something until what that shows is there: a page that is drawn meanwhile loses it. */
export async function hoverUntil(place: Locator, shown: Locator): Promise<void> {
  await untilItWorks(async (limit) => {
    await place.page().mouse.move(0, 0);
    await place.hover({ position: { x: 4, y: 8 }, timeout: limit });
    await shown.waitFor({ timeout: limit });
  }, `The mouse over ${place.toString()} does not show ${shown.toString()}.`);
}

/** The last row of a view, by keyboard: a list has only the rows in sight, and may be drawn anew meanwhile. */
export async function lastRow(page: Page, title: string, text: RegExp): Promise<Locator> {
  const row = treeRows(page, title).filter({ hasText: text });
  await untilItWorks(
    async (limit) => {
      await view(page, title).locator('.monaco-list').press('End');
      await row.waitFor({ timeout: limit });
    },
    `The last row of ${title} does not say ${String(text)}.`,
  );
  return row;
}

/**
 * Holds the mouse over something until a hover with this text shows. Lenses that come late move lines away below the
 * mouse, and a tree that is drawn anew takes the hover with it: then the mouse comes again.
 */
export async function hoverOf(place: Locator, text: string | RegExp): Promise<Locator> {
  const page = place.page();
  const hover = page.locator('.monaco-hover:visible').filter({ hasText: text }).first();
  await untilItWorks(
    async (limit) => {
      await page.mouse.move(0, 0);
      await place.hover();
      await hover.waitFor({ timeout: limit + HOVER_DELAY_MS });
    },
    `No hover over ${place.toString()} says "${String(text)}".`,
  );
  return hover;
}

/** VS Code shows a hover so long after the mouse has come. */
const HOVER_DELAY_MS = 1_000;

/** Clicks a button that shows only while the mouse is over a place. What is drawn anew loses it: then the mouse comes again. */
export async function clickWhileOver(place: Locator, button: Locator): Promise<void> {
  await untilItWorks(async (limit) => {
    await place.page().mouse.move(0, 0);
    await place.hover();
    await clickOnce(button, limit);
  }, `${button.toString()} was not there to be clicked.`);
}

/** A button in the title of the side bar, or of one of its views. */
export function sideBarButton(page: Page, name: string): Locator {
  return page.locator('.part.sidebar').getByRole('button', { name });
}

/** The title of a view, where there are several; a click opens or closes the view. */
export function viewHeader(page: Page, title: string): Locator {
  return view(page, title).locator('.pane-header .title');
}

/** The sentence above the rows of a view. */
export function viewMessage(page: Page, title: string): Locator {
  return view(page, title).locator('.message');
}

/** The page inside the webview in sight. */
export function webviewPage(page: Page): FrameLocator {
  return page.locator('iframe.webview.ready').contentFrame().frameLocator('iframe#active-frame');
}

/** What an empty view says instead of rows. */
export function welcome(page: Page, title: string, text: string): Locator {
  return view(page, title).locator('.welcome-view', { hasText: text });
}

function view(page: Page, title: string): Locator {
  return page.locator('.pane', { has: page.locator('.pane-header', { hasText: title }) });
}
