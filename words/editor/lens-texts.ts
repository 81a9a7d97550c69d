import type { FileTest } from '../../protocol/requests.ts';
import { visible } from '../formats/foreign-text.ts';
import { afterProfile, type ChangedFile } from '../formats/mark-texts.ts';

/** Links beside the figure over a function or a line, and in its hover. */
export const lensActions = {
  graph: 'flamegraph',
  recheck: 're-check',
  stop: 'stop',
  keep: 'keep as baseline',
  kept: 'this is the baseline',
  undo: 'undo',
  more: 'more…',
} as const;

/** Over a file whose text is not what ran, in one line. */
export function changedFileLens({ file, found, lost, hasLines, times }: ChangedFile): string {
  const how =
    times === null ? 'has another text than ran' : `was written ${afterProfile(times.writtenAt, times.profiledAt)}`;
  const what = `${visible(file, MAX_NAME)} ${how}`;
  if (found + lost === 0) return `${what}: which of its lines took the time is not known`;
  if (found === 0) return `${what}: none of its functions was found again`;
  const lines = (where: string): string => (hasLines ? '' : `, lines inside of ${where} are unknown`);
  if (lost > 0) {
    const notFound = `${lost} of its ${found + lost} functions ${lost === 1 ? 'was' : 'were'} not found again`;
    return `${what}: ${notFound}${lines(found === 1 ? 'the other' : 'the others')}`;
  }
  if (found === 1) return `${what}: its function was found again${lines('it')}`;
  return `${what}: its functions were found again${lines('them')}`;
}

/** Over a file, about a function that was not found in it: `≈312 ms quote: line unknown`. */
export function lostFunctionLens(figure: string, label: string): string {
  return `${figure} ${visible(label, MAX_NAME)}: line unknown`;
}

/** In characters. */
const MAX_NAME = 60;

/** Actions on a marked line. VS Code lists them among those of other extensions. */
export const markActions = {
  explain: 'Hotspan: Explain',
  recheck: 'Hotspan: Re-check: Has My Change Helped?',
  worst: 'Hotspan: Show Its Worst Operation',
  replace: 'Hotspan: Replace by',
  next: 'Hotspan: Next Hotspot',
} as const;

/** The tooltip says why more than the test may run. */
interface TestLens {
  readonly title: string;
  readonly tooltip: string;
}

export function testLens({ meant, titles, isSuite }: Pick<FileTest, 'meant' | 'titles' | 'isSuite'>): TestLens {
  const runs = 'under the profiler, in a terminal';
  const unknown = 'The name here is made only while the tests run, so';
  switch (meant) {
    case 'test':
      return { title: '$(flame) Profile This Test', tooltip: `Runs this test alone ${runs}.` };
    case 'suite':
      return { title: '$(flame) Profile This Suite', tooltip: `Runs the tests of this suite ${runs}.` };
    case 'several':
      return {
        title: `$(flame) Profile These ${isSuite ? 'Suites' : 'Tests'}`,
        tooltip: `Several can have this name: all that fit it run ${runs}.`,
      };
    case 'outer':
      return {
        title: `$(flame) Profile Suite "${visible(titles.at(-1) ?? '', MAX_TITLE)}"`,
        tooltip: `${unknown} the suite around it runs ${runs}.`,
      };
    case 'file':
      return { title: '$(flame) Profile This File', tooltip: `${unknown} the whole file runs ${runs}.` };
  }
}

/** In characters. */
const MAX_TITLE = 40;
