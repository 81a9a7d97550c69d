import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedLine } from '../../engine/judge/remedies/remedies.ts';
import { remediesFor } from '../../words/remedies.ts';
import type { RemedyPage } from '../../protocol/ids.ts';
import { line0 } from '../../protocol/units.ts';

/** Sources whose line with `// ←`, else the last one, is the slow one. Shapes of public code in words of our own. */
export interface Examples {
  readonly fires: readonly string[];
  readonly isSilent: readonly string[];
}

/** The pages that the hover of the slow line links to. */
export function pagesFor(source: string): readonly RemedyPage[] {
  const lines = source.split('\n');
  const marked = lines.findIndex((line) => line.includes('// ←'));
  return remediesFor(asked(source, marked === -1 ? lines.length - 1 : marked)).map(({ page }) => page);
}

/** A line of a source in a file of JavaScript, which computed. */
export function asked(source: string, line: number): AskedLine {
  return { source, line: line0(line), path: '/app/a.js', fn: null, waited: false, inCalls: true };
}

/** A test for each page: where its remedy is shown, and where the same words mean something else. */
export function testExamples(examples: Partial<Readonly<Record<RemedyPage, Examples>>>): void {
  for (const [page, { fires, isSilent }] of Object.entries(examples)) {
    test(`${page} is said of lines that do it, and of no others`, () => {
      const shows = (source: string): boolean => pagesFor(source).some((one) => one === page);
      assert.deepEqual(
        fires.filter((source) => !shows(source)),
        [],
        'not shown',
      );
      assert.deepEqual(isSilent.filter(shows), [], 'shown');
      assert.ok(fires.length >= 5 && isSilent.length >= 5, 'too few examples');
    });
  }
}
