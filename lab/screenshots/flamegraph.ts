import type { Page } from 'playwright-core';
import { closeAllEditors, openFile, runCommand } from '../../test/helpers/vscode/commands.ts';
import { lenses } from '../../test/helpers/vscode/editor.ts';
import { webviewPage } from '../../test/helpers/vscode/panels.ts';
import { type Surface, surface } from './camera.ts';

/** The views of the page, each alone in the editor. */
export const flamegraphSurfaces: readonly Surface[] = [
  surface('flamegraph', async (page) => openView(page, /^Graph/, 'g.frame')),
  surface('flamegraph-card', async (page) => {
    await openView(page, /^Graph/, 'g.frame');
    const graph = webviewPage(page);
    await graph.locator('g.frame[name="snapshot"]').first().hover();
    await graph.locator('.card:visible').waitFor();
  }),
  surface('flamegraph-search', async (page) => {
    await openView(page, /^Graph/, 'g.frame');
    const graph = webviewPage(page);
    await graph
      .getByRole('searchbox')
      .or(graph.locator('input[type=text], input[type=search]'))
      .first()
      .fill('snapshot');
    await graph
      .getByText(/\d+ match/)
      .first()
      .waitFor();
  }),
  surface('flamegraph-operations', async (page) => openView(page, /^Long operations/, '.picked-title')),
  surface('flamegraph-functions', async (page) => openView(page, /^Functions/, '.functions tbody tr')),
  surface('flamegraph-tree', async (page) => openView(page, /^Tree/, '[role=treegrid] tbody tr')),
  // The picture of the README, in dark at 1400 px.
  surface('flamegraph-callers', async (page) => {
    await closeAllEditors(page);
    await openFile(page, 'src/catalogue/catalogue.js');
    await lenses(page).filter({ hasText: 'flamegraph' }).last().click();
    await webviewPage(page).locator('.callees g.frame[name="snapshot"]').waitFor();
  }),
  surface('flamegraph-no-tiers', async (page) => {
    await openView(page, /^Graph/, 'g.frame');
    const graph = webviewPage(page);
    const colors = graph.getByRole('button', { name: /^Colors: V8 tiers/ });
    if (!(await colors.isVisible())) await graph.getByRole('button', { name: 'More controls' }).click();
    await colors.click();
    await graph.getByRole('button', { name: 'Record V8 Tiers' }).waitFor();
  }),
];

/** After a second run, for the tiers. */
export const tierSurfaces: readonly Surface[] = [
  surface('flamegraph-tiers', async (page) => {
    const graph = webviewPage(page);
    if (
      await graph
        .getByRole('heading', { name: /^V8 tiers/ })
        .isVisible()
        .catch(() => false)
    )
      return;
    await runCommand(page, 'Hotspan: Open Flamegraph');
    await graph.locator('g.frame').first().waitFor();
    await graph.getByRole('button', { name: /^Colors: V8 tiers/ }).click();
    await graph.getByRole('button', { name: 'Record V8 Tiers' }).click();
    await graph.getByRole('heading', { name: /^V8 tiers/ }).waitFor({ timeout: 120_000 });
    await graph.locator('g.frame').first().waitFor();
  }),
];

/** `sign`: what only this view has, as a selector. */
async function openView(page: Page, name: RegExp, sign: string): Promise<void> {
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Open Flamegraph');
  const graph = webviewPage(page);
  await graph.locator('.time-chart .time-turns').first().waitFor();
  await graph.getByRole('button', { name }).click();
  await graph.locator(sign).first().waitFor();
}
