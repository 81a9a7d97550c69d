import path from 'node:path';
import type { Analysis } from '../../engine/analysis.ts';
import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { growingReportOf } from '../../engine/report/report.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { summaryOf } from '../../words/summary.ts';
import type { AnalyzeArguments } from '../arguments/analyze-arguments.ts';
import { checkLimit } from '../views/fail-over.ts';
import { markdown } from '../views/markdown.ts';
import { type ResultView, resultView } from '../views/result-view.ts';
import { reportText } from '../views/report-text.ts';
import { table } from '../views/table.ts';
import { readingText, showProgress, type Terminal, plainText } from '../views/terminal.ts';
import { readSources } from '../views/shown-code.ts';
import { shownUrlsOf } from '../views/hotspot-view.ts';
import { warningText } from '../../words/warnings/warning-text.ts';
import { chosenPath, hasRecordings } from './chosen-paths.ts';
import { pipedPath, readPiped, worldWith } from './piped-profile.ts';
import type { World } from '../../engine/files/world.ts';

/**
 * Prints what recordings and profiles show. Gives the exit code: 0; 1 over the limit; 2 where nothing can be read; 3
 * where only estimates are over the limit.
 */
export async function analyzeCommand(
  options: AnalyzeArguments,
  terminal: Terminal,
  currentFolder: string,
): Promise<number> {
  const { out, err } = terminal;
  const complain = (sentence: string): number => {
    err.write(`hotspan: ${plainText(sentence)}\n`);
    return 2;
  };
  const roots = options.root === undefined ? [] : [rootOf(options.root, currentFolder)];
  const input = await inputOf(options.paths, terminal, currentFolder);
  if (input.type === 'invalid') return complain(input.message);
  const result = await analyze(input.paths, input.world, {
    thresholdUs: options.thresholdUs,
    roots,
    currentFolder,
    sourceMaps: options.sourceMaps,
    ...(err.isTerminal ? { onProgress: (progress) => showProgress(err, readingText(progress)) } : {}),
  });
  showProgress(err, '');
  if (result.type === 'failed') return complain(describeFailure(result.failure));
  const { analysis } = result;
  const [root] = roots;
  // A profile from another machine has its own paths, so its root need not exist here.
  if (root !== undefined && (await isNowhere(root, analysis)))
    return complain(`${root} is no folder here, and nothing that was recorded lies in it: correct --root.`);
  await out.writeAll(printed(result, options, terminal, currentFolder));
  if (options.format === 'json')
    for (const warning of analysis.warnings) err.write(`hotspan: ${plainText(warningText(warning))}\n`);

  if (options.failOverUs === null) return 0;
  const { code, sentence } = checkLimit(analysis, options.failOverUs, currentFolder);
  if (sentence !== null) err.write(`hotspan: ${plainText(sentence)}\n`);
  return code;
}

/**
 * The root as an absolute path. A path with a drive of Windows is absolute on any system, because the profile may come
 * from such a machine.
 */
function rootOf(given: string, currentFolder: string): string {
  return /^([a-z]:[\\/]|\\\\)/i.test(given) ? given : path.resolve(currentFolder, given);
}

async function isNowhere(root: string, { functions }: Analysis): Promise<boolean> {
  return (await diskWorld.listFiles(root)) === undefined && !functions.functions.some(({ own }) => own);
}

type Input =
  | { readonly type: 'input'; readonly paths: readonly string[]; readonly world: World }
  | { readonly type: 'invalid'; readonly message: string };

/** What to analyze. Tells the person which recording that is where it was not named. */
async function inputOf(typed: readonly string[], { err }: Terminal, currentFolder: string): Promise<Input> {
  if (typed.length === 0 && !(await hasRecordings(currentFolder))) {
    const message = `Nothing was recorded in ${currentFolder} yet: type "hotspan record -- npm test", or say what to analyze.`;
    return { type: 'invalid', message };
  }
  const piped = typed.includes('-') ? await readPiped(process.stdin) : null;
  if (piped?.type === 'invalid') return piped;
  const paths: string[] = [];
  for (const one of typed.length === 0 ? ['.'] : typed) {
    const chosen = one === '-' ? { path: pipedPath, sentence: null } : await chosenPath(one, currentFolder);
    if (chosen.sentence !== null) err.write(`hotspan: ${plainText(chosen.sentence)}\n`);
    paths.push(chosen.path);
  }
  return { type: 'input', paths, world: piped === null ? diskWorld : worldWith(piped.bytes, diskWorld) };
}

async function* printed(
  result: Analyzed,
  options: AnalyzeArguments,
  { out }: Terminal,
  currentFolder: string,
): AsyncGenerator<string, undefined> {
  const { analysis } = result;
  if (options.format === 'json') {
    yield* reportText(growingReportOf(analysis, options.operations));
    return undefined;
  }
  const view = await viewOf(result, options.all, currentFolder);
  if (options.format === 'table') yield table(view, { colors: out.colors, most: Infinity, columns: out.columns });
  else yield markdown(view, plainText(summaryOf(analysis, options.paths[0] ?? '').title));
  return undefined;
}

type Analyzed = Pick<Extract<AnalyzeResult, { readonly type: 'analyzed' }>, 'analysis' | 'textOf'>;

/** The view of a result, with the source lines as they were recorded. */
export async function viewOf({ analysis, textOf }: Analyzed, all: boolean, currentFolder: string): Promise<ResultView> {
  const sources = await readSources(shownUrlsOf(analysis), textOf, currentFolder);
  return resultView(analysis, { all, sources });
}
