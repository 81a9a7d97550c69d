import type { Analysis } from '../../engine/analysis.ts';
import { hotFunctions } from '../../engine/hot-functions.ts';
import type { Test } from '../../engine/read/samples/sample-stream.ts';
import type { NamedTime } from '../../protocol/summary.ts';
import type { TestPlace } from '../../protocol/requests.ts';
import { placeOf } from '../../words/places.ts';

/** The worst hot function of the app that was long while a test, or one of a suite or a file, ran. */
export function worstOfTest(analysis: Analysis, place: TestPlace): NamedTime | null {
  for (const { functionId, worstUs, estimated, firstTime, tone } of hotFunctions(analysis)) {
    const fn = analysis.functions.functions[functionId];
    const isApp = fn?.role === 'app' && typeof firstTime?.loads !== 'string';
    const tests = analysis.figures[functionId]?.presence.tests ?? [];
    if (fn !== undefined && isApp && tests.some((test) => isOf(test, place)))
      return { functionId, label: fn.label, place: placeOf(fn, analysis), us: worstUs, estimated, tone };
  }
  return null;
}

/**
 * A suite stands for all its tests. A test whose file is not known goes by its titles alone. Some Test Explorers do not
 * show all suites, so titles further out may be missing.
 */
function isOf({ name, file }: Test, place: TestPlace): boolean {
  const title = place.titles.join(' > ');
  if (file === '' ? title === '' : file !== place.file) return false;
  return title === '' || ` > ${name} > `.includes(` > ${title} > `);
}
