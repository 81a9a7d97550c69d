import { findTests, type SourceTest, type Title } from '../../engine/read/source-code/find-tests.ts';
import { parseSource } from '../../engine/read/source-code/parse-source.ts';
import type { FileMarksParams, FileTest } from '../../protocol/requests.ts';
import { toLine0 } from '../../protocol/units.ts';
import type { Session } from '../recordings/session.ts';

/** The tests of an open document, as each can be run alone; null where it cannot be parsed. */
export async function fileTests({ documents }: Session, { uri }: FileMarksParams): Promise<readonly FileTest[] | null> {
  const text = documents.get(uri)?.getText();
  const file = text === undefined ? null : parseSource(text, uri);
  return file === null ? null : testsToRun(findTests(file));
}

/** What is run for each test: itself, or the nearest thing around it whose name is known. */
export function testsToRun(tests: readonly SourceTest[]): readonly FileTest[] {
  const places = new Map<string, Set<string>>();
  for (const { title, suites } of tests) {
    const known = places.get(title.text) ?? new Set();
    places.set(title.text, known.add(JSON.stringify(suites.map(({ text }) => text))));
  }
  return tests.map((test) => {
    const way = [...test.suites, test.title];
    const meant = meantBy(test);
    const named = meant === 'outer' ? way.slice(0, way.findLastIndex(({ names }) => names === 'one') + 1) : way;
    const titles = meant === 'file' ? [] : named.map(({ text }) => text);
    return {
      line: toLine0(test.line),
      meant,
      titles,
      isSuite: meant === 'outer' || test.kind === 'suite',
      isWhole: test.isWhole,
      isShared: (places.get(titles.at(-1) ?? '')?.size ?? 0) > 1,
    };
  });
}

function meantBy({ kind, title, suites }: SourceTest): FileTest['meant'] {
  if (title.names === 'one') return kind;
  if (title.names === 'several') return 'several';
  return suites.some(isNamed) ? 'outer' : 'file';
}

function isNamed({ names }: Title): boolean {
  return names === 'one';
}
