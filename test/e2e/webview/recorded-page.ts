import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Analysis } from '../../../engine/analysis.ts';
import { analyze } from '../../../engine/analyze.ts';
import { flameOf, searchFlame } from '../../../show/flame/flame.ts';
import { timelineOf } from '../../../show/flame/timeline.ts';
import { testRegex } from '../../../language-server/recordings/questions.ts';
import { defaultThresholdUs } from '../../../protocol/figures.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { summaryOf } from '../../../words/summary.ts';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import { type FakeHost, type FlamePage, openFlamePage, shown } from './flame-page.ts';

/** What the engine says of a recording whose sources are in this folder. */
async function analysisIn(project: string, recording: string): Promise<Analysis> {
  const options = { thresholdUs: defaultThresholdUs, roots: [project], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  assert.ok(result.type === 'analyzed');
  return result.analysis;
}

/** Opens the page as the extension does for a recording, answered by the engine. */
async function openRecorded(
  browser: Browser,
  { project, recording }: { readonly project: string; readonly recording: string },
  options: Pick<FakeHost, 'theme'> & { readonly width?: number } = {},
): Promise<FlamePage> {
  const analysis = await analysisIn(project, recording);
  const { title, verdict, opensAt: finding } = summaryOf(analysis, recording);
  const { width = 850, ...host } = options;
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  return openFlamePage(await context.newPage(), {
    ...host,
    opening: [{ ...shown, recording, title, verdict, finding, folders: [project] }],
    answer: (query) => flameOf(analysis, query, testRegex),
    search: (search) => searchFlame(analysis, search, testRegex),
    timeline: (query) => timelineOf(analysis, query),
  });
}

/** Opens the page of a recorded run. */
export async function openFixture(browser: Browser, name: FixtureName): Promise<FlamePage> {
  return openRecorded(browser, copyFixture(name));
}
