import { visible } from '../formats/hidden-characters.ts';
import type { FileTest } from '../../protocol/requests.ts';

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
