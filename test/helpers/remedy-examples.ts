import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remediesFor } from '../../language-server/texts/remedies.ts';
import type { RemedyPage } from '../../protocol/remedy-pages.ts';
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
  return remediesFor(source, line0(marked === -1 ? lines.length - 1 : marked)).map(({ page }) => page);
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
