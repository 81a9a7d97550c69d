import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Analysis } from '../../../engine/analysis.ts';
import { analyze } from '../../../engine/analyze.ts';
import type { DiffFlame } from '../../../show/diff-flame/diff-flame.ts';
import { flameOf, searchFlame } from '../../../show/flame/flame.ts';
import { timelineOf } from '../../../show/flame/timeline.ts';
import { testRegex } from '../../../language-server/recordings/questions.ts';
import { defaultThresholdUs } from '../../../protocol/figures.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { summaryOf } from '../../../words/summary.ts';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import { type FakeHost, type FlamePage, openFlamePage, shown } from './flame-page.ts';

/** What the engine says of a recorded run, with its summary. */
export async function readFixture(name: FixtureName) {
  const { project, recording } = copyFixture(name);
  const options = { thresholdUs: defaultThresholdUs, roots: [project], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  assert.ok(result.type === 'analyzed');
  return { project, recording, analysis: result.analysis, summary: summaryOf(result.analysis, recording) };
}

/** Fills the page as the extension does for a recorded run, answered by the engine. */
export async function openFixture(page: Page, name: FixtureName): Promise<FlamePage> {
  const { project, recording, analysis, summary } = await readFixture(name);
  const { title, verdict, opensAt: finding } = summary;
  return openFlamePage(page, {
    opening: [{ ...shown, recording, title, verdict, finding, folders: [project] }],
    ...engineHost(analysis),
    timeline: (query) => timelineOf(analysis, query),
  });
}

/** Answers by the engine, without turns. */
export function engineHost(analysis: Analysis): FakeHost {
  return {
    answer: (query) => flameOf(analysis, query, testRegex),
    search: (search) => searchFlame(analysis, search, testRegex),
  };
}

/** Answers of a comparison. */
export function diffHost(flame: Pick<DiffFlame, 'answer' | 'search'>): FakeHost {
  return {
    answer: (query) => flame.answer(query),
    search: (search) => flame.search(search),
    opening: [{ ...shown, isDiff: true, folders: ['file:///app'] }],
  };
}
