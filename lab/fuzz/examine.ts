import assert from 'node:assert/strict';
import pico from 'picocolors';
import { markdown, table } from '../../cli/views/table.ts';
import { resultView } from '../../cli/views/result-view.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { AnalyzeResult } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { reportOf } from '../../show/report/report.ts';
import { summaryOf } from '../../words/summary.ts';
import { noKeptMarks } from '../../language-server/queries/file-annotations.ts';
import type { FlameQuery } from '../../protocol/flame.ts';
import { schemaErrors } from '../../test/helpers/report-schema.ts';
import { analyzed, type FuzzCase } from './fuzz-case.ts';
import { assertFlame, assertInvariants } from './assert-invariants.ts';
import { assertSameAgain } from './same-again.ts';
import { questions } from '../../language-server/recordings/questions.ts';
import { readSources } from '../../cli/views/shown-code.ts';
import { shownUrlsOf } from '../../cli/views/hotspot-view.ts';

/** Sends one case all the way that a file can go: engine, report, terminal, Markdown, page. Throws what was wrong. */
export async function examine(given: FuzzCase): Promise<void> {
  const result = await analyzed(given);
  if (result.type === 'failed') assertSentence(describeFailure(result.failure));
  else await assertShown(result);
  await assertSameAgain(given, result);
}

async function assertShown({ analysis, textOf }: Extract<AnalyzeResult, { readonly type: 'analyzed' }>): Promise<void> {
  const report = reportOf(analysis, 'all');
  assert.deepEqual(schemaErrors(JSON.parse(JSON.stringify(report))), []);
  assertInvariants(analysis, report);
  const sources = await readSources(shownUrlsOf(analysis), textOf, '/app');
  const view = resultView(analysis, { all: true, sources });
  assertText(table(view, { colors: pico.createColors(false), most: Infinity, columns: 60 }));
  assertText(markdown(view, summaryOf(analysis, '/rec').title));
  assertPage(analysis);
}

/** What the page and the editor ask for. */
function assertPage(analysis: Analysis): void {
  const asked = { analysis, kept: noKeptMarks, folders: ['/app'], texts: new Map<string, string>() };
  const queries: readonly FlameQuery[] = [
    { leastShare: 0.001 },
    { leastShare: 0, fold: { kinds: ['native', 'node', 'gc'], open: ['2'] } },
    { leastShare: 0.001, operation: 0, functionId: 1 },
    { leastShare: 0.001, zoom: '3' },
  ];
  for (const query of queries) assertFlame(questions.flame(asked, query));
  questions.search(asked, { pattern: 'a', isRegex: false });
  for (const groupBy of ['function', 'file', 'package'] as const)
    questions.hotspots(asked, { params: { groupBy, sortBy: 'worst' }, metric: 'worst' });
  for (const { id } of analysis.functions.functions.slice(0, 20)) {
    questions.details(asked, id);
    questions.stacks(asked, id);
    questions.locate(asked, { functionId: id });
  }
}

/** One or more sentences on one line, of which none is about what does not exist. */
function assertSentence(sentence: string): void {
  assert.match(sentence, /^\S.*\.$/s);
  assertText(sentence);
}

function assertText(text: string): void {
  assert.doesNotMatch(text, /\bundefined\b|\bNaN\b|\bInfinity\b|\[object /);
}
