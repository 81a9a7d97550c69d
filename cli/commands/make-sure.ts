import path from 'node:path';
import { analyze, type AnalyzeResult, type Analyzed } from '../../engine/analyze.ts';
import { lazyReportOf } from '../../show/report/report.ts';
import type { AnalyzedRun } from '../../engine/compare/runs/find-again.ts';
import { type FurtherRuns, furtherRuns, seenAgainIn } from '../../engine/compare/runs/make-sure.ts';
import { seenAgainFile } from '../../protocol/recording.ts';
import type { SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { reasonOf, writeWhole } from '../../recordings/private-files.ts';
import { describeFailure } from '../../words/failures.ts';
import { plural } from '../../words/formats/figures.ts';
import { furtherRunCount, furtherRunsText, suretyText } from '../../words/findings.ts';
import type { MakeSureArguments } from '../arguments/recheck-arguments.ts';
import { jsonText, reportText } from '../views/report-text.ts';
import { table } from '../views/table.ts';
import { refuse, type Session } from '../views/terminal.ts';
import { briefAnswer, viewOf } from './analyze.ts';
import { failAloneText, folderForRuns, HeadRuns, logOf } from './head-runs.ts';
import { chosenPath, commandFrom, wholeOf } from './find-recording.ts';
import { nearestRecording, nothingRecorded } from '../../recordings/newest-of-project.ts';

/**
 * Runs the tests of a recording's uncertain findings twice more, keeps in the recording which of them were long again, and
 * prints the verdict. Gives the exit code: 0; 2: nothing can be run; 3: stopped.
 */
export async function makeSureCommand(session: MakeSureSession): Promise<number> {
  const { options, terminal, surroundings } = session;
  const { err } = terminal;
  const { cwd } = surroundings;
  const { path: recording, sentence } =
    options.recording === null
      ? { path: await nearestRecording(cwd), sentence: null }
      : await chosenPath(options.recording, cwd);
  if (sentence !== null) err.say(sentence);
  if (recording === null)
    return refuse(err, `${await nothingRecorded([cwd])}: record the tests first (hotspan record -- npm test).`);
  const recorded = await analyzed([recording], session);
  if (recorded.type === 'failed') return refuse(err, describeFailure(recorded.failure));
  const further = furtherRuns(recorded.analysis);
  if (further === null) {
    err.say('No finding is uncertain: nothing has to run again.');
    return print(recorded, recording, session);
  }
  err.say(`${plural(further.findings.length, 'uncertain finding')}: ${furtherRunsText(further)}.`);
  return options.dryRun ? 0 : runFurther({ ...recorded, path: recording }, further, session);
}

type MakeSureSession = Session<MakeSureArguments>;

async function analyzed(paths: readonly string[], { options, surroundings }: MakeSureSession): Promise<AnalyzeResult> {
  const { thresholdUs } = options;
  return analyze(paths, diskWorld, { thresholdUs, roots: [], currentFolder: surroundings.cwd, sourceMaps: true });
}

/** Makes the further runs, keeps their answer, and prints the verdict. */
async function runFurther(recorded: AnalyzedRun, further: FurtherRuns, session: MakeSureSession): Promise<number> {
  const { options, surroundings } = session;
  const { err } = session.terminal;
  const known = await commandFrom(options.command, recorded.path, surroundings, '');
  if (known.type === 'failed') return refuse(err, known.message);
  const runs = new HeadRuns(surroundings, err, await folderForRuns(surroundings.cwd));
  const whole = wholeOf(known, surroundings.cwd);
  const narrow = further.files === null ? null : await runs.commandsOfTests(further.files, whole);
  const again = await runAgain(runs, { narrow, whole: [whole] }, recorded, session);
  if (typeof again === 'number') return again;
  const surety = await seenAgainIn(recorded, further.findings, again);
  await writeWhole(path.join(recorded.path, seenAgainFile), JSON.stringify(surety.seenAgain)).catch((error: unknown) =>
    err.say(`The answer cannot be kept in ${recorded.path} (${reasonOf(error)}).`),
  );
  err.say(suretyText(surety));
  const judged = await analyzed([recorded.path], session);
  return judged.type === 'failed'
    ? refuse(err, describeFailure(judged.failure))
    : print(judged, recorded.path, session);
}

/** The further runs; else the exit code. */
async function runAgain(
  runs: HeadRuns,
  { narrow, whole }: Readonly<Record<'whole', readonly SideCommand[]> & { narrow: readonly SideCommand[] | null }>,
  recorded: AnalyzedRun,
  session: MakeSureSession,
): Promise<readonly AnalyzedRun[] | number> {
  const again: AnalyzedRun[] = [];
  const { err } = session.terminal;
  for (let number = 1; number <= furtherRunCount; number++) {
    const run = await runs.run(narrow ?? whole, number, furtherRunCount);
    const hasFailed = run.type === 'ran' && run.exitCode !== 0 && (recorded.analysis.recording.exitCode ?? 0) === 0;
    if (narrow !== null && (hasFailed || run.type === 'failed')) {
      err.say(failAloneText(logOf(run)));
      return runAgain(runs, { narrow: null, whole }, recorded, session);
    }
    if (run.type === 'failed') return refuse(err, run.message);
    if (run.type === 'stopped') {
      err.say('It was stopped: the verdict stays as it was.');
      return 3;
    }
    if (hasFailed)
      return refuse(
        err,
        `The command failed (exit code ${run.exitCode}), unlike when it was recorded: the verdict stays as it was. Its output is in ${run.log}.`,
      );
    const result = await analyzed(run.recordings, session);
    if (result.type === 'failed') return refuse(err, describeFailure(result.failure));
    again.push({ ...result, path: run.recordings[0] ?? '' });
  }
  return again;
}

async function print(
  result: Analyzed,
  recording: string,
  { options, terminal: { out }, surroundings }: MakeSureSession,
): Promise<number> {
  if (options.format === 'brief') out.write(jsonText(await briefAnswer(result, null, recording, surroundings.cwd)));
  if (options.format === 'json') for (const text of reportText(lazyReportOf(result.analysis, 'long'))) out.write(text);
  if (options.format === 'text') {
    const view = await viewOf(result, false, surroundings.cwd);
    out.write(table(view, { colors: out.colors, most: Infinity, columns: out.columns }));
  }
  return 0;
}
