// `npm run loop-picture`: the animated picture of the README: run → line → fix → re-check, in the real VS Code.
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
  runCommand,
  withPalette,
} from '../../test/helpers/vscode/commands.ts';
import { goToLine, lenses } from '../../test/helpers/vscode/editor.ts';
import { openVscode } from '../../test/helpers/vscode/open-vscode.ts';
import { treeRows } from '../../test/helpers/vscode/panels.ts';
import { resultInStatusBar } from '../../test/helpers/vscode/profile-tests.ts';
import { shortShopFolder } from './folders.ts';

interface Frame {
  readonly png: Buffer;
  /** How long it is shown, in ms. */
  readonly delay: number;
}

const picture = projectFile('docs/loop.webp');
const viewport = { width: 1200, height: 720 };
const patience = { timeout: 180_000 };
const hotFile = 'src/catalogue/catalogue.js';
const hotLine = 23;
const fixed = '  return products.map((product) => ({ ...product }));';

const folder = shortShopFolder();
const vscode = await openVscode({ folder, extensions: [vsixFile], viewport });
try {
  const frames = await framesOfLoop(vscode.page);
  await sharp(
    frames.map(({ png }) => png),
    { join: { animated: true } },
  )
    .webp({ loop: 0, delay: frames.map(({ delay }) => delay), quality: 85, effort: 6 })
    .toFile(picture);
  console.log(`The picture is ${picture}.`);
} finally {
  await vscode.close();
  rmSync(path.dirname(folder), { recursive: true, force: true });
}

async function framesOfLoop(page: Page): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const take = async (delay: number): Promise<void> => {
    frames.push({ png: await page.screenshot({ animations: 'disabled' }), delay });
  };

  await openFile(page, hotFile);
  await withPalette(page, 'Hotspan: Profile Tests', async (row, timeout) => {
    frames.length = 0; // The list may close by itself: then it is opened again.
    await take(1500);
    await row.click({ timeout });
  });
  await resultInStatusBar(page);
  await treeRows(page, 'Hotspots').filter({ hasText: 'snapshot' }).first().waitFor();
  await take(2500);

  await runCommand(page, 'View: Toggle Panel Visibility');
  await closeAllEditors(page);
  await openFile(page, hotFile);
  await clearMessages(page);
  await goToLine(page, hotLine);
  await lenses(page).first().waitFor();
  await take(3500);

  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText(fixed.trim());
  await take(1500);
  await page.keyboard.press('Control+S');
  const recheck = lenses(page)
    .filter({ hasText: /re-check/ })
    .first();
  await recheck.waitFor();
  await take(2500);

  await recheck.click();
  await lenses(page)
    .filter({ hasText: /re-checking \d/ })
    .first()
    .waitFor(patience);
  await take(2000);
  await lenses(page).filter({ hasText: 'keep as baseline' }).first().waitFor(patience);
  await clearMessages(page);
  await take(5000);
  return frames;
}
