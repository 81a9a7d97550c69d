import { launchBrowser } from './helpers/vscode/shared-vscode.ts';
import { openRecorded } from './e2e/webview/recorded-page.ts';
import type { ThemeName } from './e2e/webview/flame-page.ts';
const [project = '', recording = '', name = '', width = '850', ...themes] = process.argv.slice(2);
const browser = await launchBrowser();
for (const theme of (themes.length ? themes : ['Light Modern']) as ThemeName[]) {
  const { page } = await openRecorded(browser, { project, recording }, { theme, width: Number(width) });
  await page.locator('g.frame').first().waitFor();
  await page.waitForTimeout(1500);
  console.log(await page.evaluate(() => {
    const f = document.activeElement;
    const frames = [...document.querySelectorAll('g.frame')];
    const level = frames.filter((x) => x.getAttribute('aria-level') === '2');
    return [f?.tagName, f?.getAttribute('aria-label'), level.map((x) => [x.getAttribute('data-category'), x.getAttribute('data-folded'), x.querySelector('rect')?.getBoundingClientRect().width].join(' '))].join('\n');
  }));
  await page.screenshot({ path: `/tmp/flame-lab/${name}-${width}-${theme.replaceAll(' ', '')}.png` });
}
await browser.close();
