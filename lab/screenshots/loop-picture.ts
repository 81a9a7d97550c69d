// `npm run loop-picture`: the animated pictures of both loops, in the real VS Code: tests → line → fix → re-check
// (docs/loop.webp), and app → load → line → fix → re-check under the same load (docs/load.webp).
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { vsixFile } from '../../scripts/setup.mjs';
import { projectFile } from '../../test/helpers/project.ts';
import {
  clearMessages,
  closeAllEditors,
  openFile,
  pickExactRow,
  quickInputRows,
  runCommand,
  withPalette,
} from '../../test/helpers/vscode/commands.ts';
import { goToLine, lenses } from '../../test/helpers/vscode/editor.ts';
import { openVscode } from '../../test/helpers/vscode/open-vscode.ts';
import { toastButton, toasts, treeRows } from '../../test/helpers/vscode/panels.ts';
import { resultInStatusBar } from '../../test/helpers/vscode/profile-tests.ts';
import { productsFolder, shortShopFolder } from './folders.ts';

interface Frame {
  readonly png: Buffer;
  /** How long it is shown, in ms. */
  readonly delay: number;
}

type Take = (delay: number) => Promise<void>;

const viewport = { width: 1200, height: 720 };
const patience = { timeout: 180_000 };

/** A loop: a project, what shows its hot line, and what is typed in its place. */
interface Loop {
  readonly folder: string;
  readonly profile: (page: Page, take: Take) => Promise<void>;
  readonly hotFile: string;
  readonly hotLine: number;
  /** Its re-check takes over a minute, so it is asked for. */
  readonly isAsked: boolean;
}

const fixed = 'return products.map((product) => ({ ...product }));';
const requests = 'products.http';

await makePicture('docs/loop.webp', {
  folder: shortShopFolder(),
  profile: profileTheTests,
  hotFile: 'src/catalogue/catalogue.js',
  hotLine: 23,
  isAsked: false,
});
await makePicture('docs/load.webp', {
  folder: productsFolder(),
  profile: profileTheApp,
  hotFile: 'server.js',
  hotLine: 7,
  isAsked: true,
});

async function makePicture(picture: string, loop: Loop): Promise<void> {
  const { folder, profile, hotFile } = loop;
  const vscode = await openVscode({ folder, extensions: [vsixFile], viewport });
  const frames: Frame[] = [];
  const take: Take = async (delay) => {
    frames.push({ png: await vscode.page.screenshot({ animations: 'disabled' }), delay });
  };
  try {
    await openFile(vscode.page, hotFile);
    await profile(vscode.page, take);
    await fixAndRecheck(vscode.page, take, loop);
    await sharp(
      frames.map(({ png }) => png),
      { join: { animated: true } },
    )
      .webp({ loop: 0, delay: frames.map(({ delay }) => delay), quality: 85, effort: 6 })
      .toFile(projectFile(picture));
    console.log(`The picture is ${picture}.`);
  } finally {
    await vscode.close();
    rmSync(path.dirname(folder), { recursive: true, force: true });
  }
}

async function profileTheTests(page: Page, take: Take): Promise<void> {
  await withPalette(page, 'Hotspan: Profile Tests', async (row, timeout) => row.click({ timeout }));
  await resultInStatusBar(page);
  await treeRows(page, 'Hotspots').filter({ hasText: 'snapshot' }).first().waitFor();
  await take(2500);
}

async function profileTheApp(page: Page, take: Take): Promise<void> {
  await runCommand(page, 'Hotspan: Profile App');
  await pickExactRow(page, 'Production');
  await toasts(page).filter({ hasText: 'Send Load' }).waitFor(patience);
  await take(2500);
  await runCommand(page, 'Hotspan: Send Load to App');
  await quickInputRows(page).filter({ hasText: requests }).first().waitFor();
  await take(2500);
  await quickInputRows(page).filter({ hasText: requests }).first().click();
  await toasts(page)
    .filter({ hasText: /Load with the recorder: .* p99 / })
    .waitFor(patience);
  await take(3500);
  await toastButton(page, 'Stop and Show').first().click();
  await resultInStatusBar(page);
  await treeRows(page, 'Hotspots').filter({ hasText: 'snapshot' }).first().waitFor();
  await take(2500);
}

async function fixAndRecheck(page: Page, take: Take, { hotFile, hotLine, isAsked }: Loop): Promise<void> {
  await runCommand(page, 'View: Toggle Panel Visibility');
  await closeAllEditors(page);
  await openFile(page, hotFile);
  await clearMessages(page);
  await goToLine(page, hotLine);
  await lenses(page).first().waitFor();
  await take(3500);

  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText(fixed);
  await take(1500);
  await page.keyboard.press('Control+S');
  const recheck = lenses(page)
    .filter({ hasText: /re-check/ })
    .first();
  await recheck.waitFor();
  await take(2500);

  await recheck.click();
  if (isAsked) {
    await toastButton(page, 'Re-check').waitFor();
    await take(2000);
    await toastButton(page, 'Re-check').click();
  }
  await lenses(page)
    .filter({ hasText: /re-checking \d/ })
    .first()
    .waitFor(patience);
  await take(2000);
  await lenses(page).filter({ hasText: 'keep as baseline' }).first().waitFor(patience);
  await clearMessages(page);
  await take(5000);
}
