import type { Analysis } from '../../engine/analysis.ts';
import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import { analyzeSeveral, type RunOfSeveral } from '../../engine/compare/runs/analyze-several.ts';
import { growingReportOf } from '../../show/report/report.ts';
import { summaryOf, isUnseen } from '../../words/summary.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AnalyzeArguments } from '../arguments/analyze-arguments.ts';
import { folderFrom, pathRulesOf } from '../arguments/shared-options.ts';
import { findElsewhere } from '../../engine/read/texts/find-elsewhere.ts';
import { projectAround } from '../../engine/read/functions/find-workspace.ts';
import { checkLimit, checkLimitOfRuns, type LimitVerdict } from '../views/fail-over.ts';
import { markdown, table } from '../views/table.ts';
import { type ResultView, resultView } from '../views/result-view.ts';
import { reportText } from '../views/report-text.ts';
import { readingText, showProgress, type Terminal, plainText, type Output } from '../views/terminal.ts';
import { readSources, shownPath } from '../views/shown-code.ts';
import { shownUrlsOf } from '../views/hotspot-view.ts';
import { plural } from '../../words/formats/figures.ts';
import { otherCodeText, takenForText, warningTexts } from '../../words/given-recordings.ts';
import { chosenPath, hasRecordings } from './find-recording.ts';
import type { World } from '../../engine/read/files/world.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { describeFailure } from '../../words/failures.ts';
import type { PathSuggestion } from '../../protocol/path-rules.ts';
import path from 'node:path';

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
  const roots = options.root === undefined ? [] : [folderFrom(options.root, currentFolder)];
  const input = await inputOf(options.paths, terminal, currentFolder);
  if (input.type === 'invalid') return complain(input.message);
  const result = await analyzeSeveral(input.paths, input.world, {
    takenFor: options.takenFor,
    thresholdUs: options.thresholdUs,
    roots,
    currentFolder,
    pathRules: pathRulesOf(options.maps, currentFolder),
    sourceMaps: options.sourceMaps,
    ...(err.isTerminal ? { onProgress: (progress) => showProgress(err, readingText(progress)) } : {}),
  });
  showProgress(err, '');
  if (result.type === 'failed') return complain(describeFailure(result.failure));
  if (result.type === 'otherCode') return complain(otherCodeText(result.differing));
  const { analysis, runs } = result;
  const say = (sentence: string): void => err.write(`hotspan: ${plainText(sentence)}\n`);
  const [root] = roots;
  // A profile from another machine has its own paths, so its root need not exist here.
  if (root !== undefined && (await isNowhere(root, analysis)))
    return complain(`${root} is no folder here, and nothing that was recorded lies in it: correct --root.`);
  const taken = analysis.several === undefined ? null : takenForText(analysis.several);
  if (taken !== null) say(taken);
  await out.writeAll(printed(result, options, terminal, currentFolder));
  if (options.format === 'json') for (const warning of warningTexts(analysis)) say(warning);
  const elsewhere = await elsewhereText(result, root ?? (await projectAround(currentFolder, diskWorld)), currentFolder);
  if (elsewhere !== null) say(elsewhere);

  const { code, sentence } = limitOf(analysis, runs, options.failOverUs, currentFolder);
  if (sentence !== null) say(sentence);
  return code;
}

/** Says where files of the recording seem to be in the project here; null where they are at their paths. */
async function elsewhereText(
  { analysis, textOf }: Analyzed,
  project: string,
  currentFolder: string,
): Promise<string | null> {
  const { functions } = analysis.functions;
  const { cwd } = analysis.recording;
  const found = await findElsewhere({ cwd, functions, textOf }, [project], diskWorld);
  return found === null ? null : elsewhereHint(found, currentFolder);
}

function limitOf(
  analysis: Analysis,
  runs: readonly RunOfSeveral[],
  limitUs: Microseconds | null,
  currentFolder: string,
): LimitVerdict {
  if (limitUs === null) return { code: 0, sentence: null };
  const unread = analysis.several?.leftOut.length ?? 0;
  if (unread > 0) {
    const sentence = `${plural(unread, 'run')} could not be read, so nothing is said of the limit. That is why the exit code is 3.`;
    return { code: 3, sentence };
  }
  return runs.length > 1
    ? checkLimitOfRuns(analysis, runs, limitUs, currentFolder)
    : checkLimit(analysis, limitUs, currentFolder);
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

type Piped =
  | { readonly type: 'piped'; readonly bytes: Uint8Array }
  | { readonly type: 'invalid'; readonly message: string };

/** The path by which messages name what is piped in. */
export const pipedPath = '/dev/stdin';

/** Reads all that is piped in. */
export async function readPiped(input: AsyncIterable<unknown> & { readonly isTTY?: boolean }): Promise<Piped> {
  if (input.isTTY === true)
    return unusable('"-" is what is piped in, and nothing is: type "hotspan analyze - < FILE.cpuprofile".');
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of input) {
      if (!(chunk instanceof Uint8Array)) continue; // Standard input yields bytes: no encoding is set.
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostPiped) return unusable('More than 2 GB were piped in: save them as a file, and give its name.');
    }
  } catch {
    // A folder, or a terminal that has gone.
    return unusable('What is piped in cannot be read: save it as a file, and give its name.');
  }
  return length === 0
    ? unusable('What was piped in is empty: pipe a .cpuprofile in, or give its name.')
    : { type: 'piped', bytes: Buffer.concat(chunks) };
}

/** In bytes. */
const mostPiped = 2e9;

function unusable(message: string): Piped {
  return { type: 'invalid', message };
}

/** The same files, and what is piped in. */
export function worldWith(bytes: Uint8Array, world: World): World {
  const { readChunks, sizeOf } = world;
  return {
    ...world,
    readFile: async (path, most = Infinity) => {
      if (path !== pipedPath) return world.readFile(path, most);
      return bytes.length <= most ? bytes : undefined;
    },
    listFiles: async (folder) => (folder === pipedPath ? undefined : world.listFiles(folder)),
    sizeOf: async (path) => (path === pipedPath ? bytes.length : sizeOf?.(path)),
    ...(readChunks === undefined
      ? {}
      : { readChunks: async (path) => (path === pipedPath ? piecesOf(bytes) : readChunks(path)) }),
  };
}

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

const pieceSize = 1 << 20;

/** The result of a recording. */
export interface Found {
  /** True where none of the person's code was seen. */
  readonly isUnseen: boolean;
  /** True where no function is over the threshold. */
  readonly isQuick: boolean;
}

/** Most hotspots that are listed here; `hotspan analyze` lists more. */
const mostHotspots = 10;

/** Loads the parser of sources ahead of time. */
export async function loadParser(): Promise<void> {
  await import('../../engine/read/source-code/index-source.ts');
}

/** The table of what blocked in a recording. */
export async function listHotspots(
  directory: string,
  err: Output,
  cwd: string,
  say: (sentence: string) => void,
): Promise<Found> {
  const result = await analyze([directory], diskWorld, {
    thresholdUs: defaultThresholdUs,
    roots: [],
    sourceMaps: true,
    onProgress: (progress) => showProgress(err, readingText(progress)),
  });
  showProgress(err, '');
  if (result.type === 'failed') {
    say(describeFailure(result.failure));
    return { isUnseen: false, isQuick: true };
  }
  await keepTexts(directory, await ownTexts(result), result.kept);
  const folder = plainText(shownPath(directory, cwd));
  const view = await viewOf(result, false, cwd);
  err.write(`\n${table(view, { colors: err.colors, most: mostHotspots, columns: err.columns })}\n`);
  err.write(err.colors.dim(`More: hotspan analyze ${folder} --all, or "Hotspan: Open Profile…" in VS Code.\n`));
  return { isUnseen: isUnseen(result.analysis), isQuick: view.hotspots.length === 0 };
}

/** Says which options find the files of a recording that are here under other paths. Folders are as seen from the current one. */
export function elsewhereHint({ files, found, rules, others }: PathSuggestion, currentFolder: string): string {
  const shown = (folder: string): string => path.relative(currentFolder, folder).replace(/^$/, '.');
  const maps = rules.map(({ from, to }) => `--map ${quoted(`${from}=${shown(to)}`)}`).join(' ');
  const many = files === 1 ? 'The file of this recording is' : `${found} of ${files} files of this recording are`;
  const also = others.length === 0 ? '' : ` (or ${others.map(shown).join(', ')})`;
  return `${many} here under another path: add ${maps}${also}.`;
}

function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
