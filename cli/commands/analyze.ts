import { analyze, type AnalyzeOptions, type Analyzed } from '../../engine/analyze.ts';
import { analyzeSeveral } from '../../engine/compare/runs/analyze-several.ts';
import { lazyReportOf } from '../../show/report/report.ts';
import { summaryOf, isUnseen } from '../../words/summary.ts';
import type { AnalyzeArguments } from '../arguments/analyze-arguments.ts';
import { type Invalid, invalid, isInvalid } from '../arguments/command.ts';
import { folderFrom, pathRulesOf } from '../arguments/shared-options.ts';
import { findElsewhere } from '../../engine/read/texts/find-elsewhere.ts';
import { projectAround } from '../../engine/read/functions/find-workspace.ts';
import { markdown, table } from '../views/table.ts';
import { type ResultView, resultView } from '../views/result-view.ts';
import { agentQuestions } from '../../agents/answers.ts';
import { notRecordedText } from '../../agents/tools.ts';
import { noKeptMarks } from '../../language-server/queries/file-annotations.ts';
import { jsonText, reportText } from '../views/report-text.ts';
import { type Output, plainText, readingText, refuse, showProgress, type Session } from '../views/terminal.ts';
import { readSources, shownPath } from '../views/shown-code.ts';
import { shownUrlsOf } from '../views/hotspot-view.ts';
import { otherCodeText, takenForText, warningTexts } from '../../words/given-recordings.ts';
import { checkLimit } from './check-limit.ts';
import { chosenPath, hasRecordings, whyUnread } from './find-recording.ts';
import { whatIsKnown } from './known-base.ts';
import { nothingRecorded } from '../../recordings/newest-of-project.ts';
import type { World } from '../../engine/read/files/world.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { describeFailure } from '../../words/failures.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';
import path from 'node:path';
import pico from 'picocolors';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { shellText } from '../../words/formats/command-text.ts';
import { foundElsewhere } from '../../words/formats/foreign-text.ts';

/**
 * Prints what recordings and profiles show. Gives the exit code: 0; 1: over the limit; 2: nothing can be read; 3: only
 * estimates are over the limit.
 */
export async function analyzeCommand({ options, terminal, surroundings }: Session<AnalyzeArguments>): Promise<number> {
  const { out, err } = terminal;
  const { cwd: currentFolder } = surroundings;
  const roots = options.root === null ? [] : [folderFrom(options.root, currentFolder)];
  const input = await inputOf(options.paths, err, currentFolder);
  if (isInvalid(input)) return refuse(err, input.message);
  const result = await analyzeSeveral(input.paths, input.world, {
    ...{ takenFor: options.takenFor, thresholdUs: options.thresholdUs, roots, currentFolder },
    pathRules: pathRulesOf(options.maps, currentFolder),
    sourceMaps: options.sourceMaps,
    ...(err.isTerminal ? { onProgress: (progress) => showProgress(err, readingText(progress)) } : {}),
  });
  showProgress(err, '');
  if (result.type === 'failed') return refuse(err, await whyUnread(result.failure));
  if (result.type === 'otherCode') return refuse(err, otherCodeText(result.differing));
  const { analysis, runs } = result;
  const [root] = roots;
  // A profile from another machine has its own paths, so its root need not exist here.
  if (root !== undefined && (await isNowhere(root, analysis)))
    return refuse(err, `${root} is not a folder here, and nothing that was recorded is in it: correct --root.`);
  const taken = analysis.several === undefined ? null : takenForText(analysis.several);
  if (taken !== null) err.say(taken);
  if (options.format === 'brief') {
    const answer = await briefAnswer(result, options.explain, input.paths[0] ?? '', currentFolder);
    if (answer === null) return refuse(err, notRecordedText(options.explain ?? ''));
    out.write(jsonText(answer));
  } else if (options.format === 'json') {
    await out.writeAll(reportText(lazyReportOf(analysis, options.operations)));
    for (const warning of warningTexts(analysis)) err.say(warning);
  } else out.write(await shownText(result, options, out, currentFolder));
  const project = root ?? (await projectAround(currentFolder, diskWorld));
  const { functions } = analysis.functions;
  const { textOf } = result;
  const found = await findElsewhere({ cwd: analysis.recording.cwd, functions, textOf }, [project], diskWorld);
  if (found !== null) err.say(elsewhereHint(found, currentFolder));

  if (options.failOverUs === null) return 0;
  const { code, sentence } = checkLimit(analysis, runs, options.failOverUs, currentFolder);
  if (sentence !== null) err.say(sentence);
  return code;
}

async function isNowhere(root: string, { functions }: Analysis): Promise<boolean> {
  return (await diskWorld.listFiles(root)) === undefined && !functions.functions.some(({ own }) => own);
}

/** What to analyze. Says which recording that is if it was not named. */
async function inputOf(
  typed: readonly string[],
  err: Output,
  currentFolder: string,
): Promise<{ readonly paths: readonly string[]; readonly world: World } | Invalid> {
  if (typed.length === 0 && !(await hasRecordings(currentFolder))) {
    const reason = await nothingRecorded([currentFolder], `in ${currentFolder}`);
    return invalid(`${reason}: type "hotspan record -- npm test", or say what to analyze.`);
  }
  const piped = typed.includes('-') ? await readPiped(process.stdin) : null;
  if (isInvalid(piped)) return piped;
  const paths: string[] = [];
  for (const one of typed.length === 0 ? ['.'] : typed) {
    const chosen = one === '-' ? { path: pipedPath, sentence: null } : await chosenPath(one, currentFolder);
    if (chosen.sentence !== null) err.say(chosen.sentence);
    paths.push(chosen.path);
  }
  return { paths, world: piped === null ? diskWorld : worldWith(piped, diskWorld) };
}

async function shownText(
  result: WithTexts,
  { format, all, paths }: AnalyzeArguments,
  { colors, columns }: Output,
  currentFolder: string,
): Promise<string> {
  const view = await viewOf(result, all, currentFolder);
  return format === 'table'
    ? table(view, { colors, most: Infinity, columns })
    : markdown(view, plainText(summaryOf(result.analysis, paths[0] ?? '').title));
}

/** What agents get of a recording: its verdict, or a function of it; null where it does not have that. */
export async function briefAnswer(
  { analysis, textOf }: WithTexts,
  explain: string | null,
  recording: string,
  currentFolder: string,
): Promise<object | null> {
  const texts = await ownTexts({ analysis, textOf });
  const recorded = { analysis, folders: analysis.roots, kept: noKeptMarks, texts };
  const { agentExplain, agentFindings } = agentQuestions;
  if (explain === null) return agentFindings(recorded, recording);
  // Agents have places from the root, the table has them from here.
  return (await agentExplain(recorded, path.resolve(currentFolder, explain))) ?? agentExplain(recorded, explain);
}

type WithTexts = Pick<Analyzed, 'analysis' | 'textOf'>;

/** A view with the source lines as they were recorded. */
export async function viewOf(
  { analysis, textOf }: WithTexts,
  all: boolean,
  currentFolder: string,
): Promise<ResultView> {
  const sources = await readSources(shownUrlsOf(analysis), textOf, currentFolder, analysis.roots);
  return resultView(analysis, { all, sources });
}

/** The path by which messages name standard input. */
export const pipedPath = '/dev/stdin';

export async function readPiped(
  input: AsyncIterable<unknown> & { readonly isTTY?: boolean },
): Promise<Uint8Array | Invalid> {
  if (input.isTTY === true)
    return invalid('"-" is what is piped in, and nothing is: type "hotspan analyze - < FILE.cpuprofile".');
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of input) {
      if (!(chunk instanceof Uint8Array)) continue; // Standard input yields bytes: no encoding is set.
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_PIPED) return invalid('More than 2 GB were piped in: save them as a file, and give its name.');
    }
  } catch {
    // A folder, or a terminal that has gone.
    return invalid('What is piped in cannot be read: save it as a file, and give its name.');
  }
  return length === 0
    ? invalid('What was piped in is empty: pipe a .cpuprofile in, or give its name.')
    : Buffer.concat(chunks);
}

/** In bytes. */
const MAX_PIPED = 2e9;

/** Adds a file at `pipedPath`. */
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
  for (let at = 0; at < bytes.length; at += PIECE_SIZE) yield bytes.subarray(at, at + PIECE_SIZE);
}

/** In bytes. */
const PIECE_SIZE = 1 << 20;

/** The result of a recording. */
export interface Found {
  /** Whether no own code was seen. */
  readonly isUnseen: boolean;
  /** Whether no function is over the threshold. */
  readonly isQuick: boolean;
}

/** Loads the parser of sources ahead of time. */
export async function loadParser(): Promise<void> {
  await import('../../engine/read/source-code/index-source.ts');
}

/** What earlier readings of a recording have found. */
export type Known = Pick<AnalyzeOptions, 'texts' | 'decoded'>;

const optionsOfTable = { thresholdUs: defaultThresholdUs, roots: [], sourceMaps: true } as const;

/**
 * Does what `listHotspots` will do, with a recording that still runs, and prints nothing: afterwards the code of this thread
 * is compiled, and `known` has the indexes of sources, and what is decoded of files that are whole.
 */
export async function readAhead(directory: string, cwd: string, known: Known): Promise<void> {
  const result = await analyze([directory], diskWorld, { ...optionsOfTable, ...known });
  if (result.type === 'failed') return;
  await ownTexts(result);
  table(await viewOf(result, false, cwd), { colors: pico.createColors(false), most: MAX_HOTSPOTS, columns: Infinity });
}

/** Prints the table of a new recording. */
export async function listHotspots(directory: string, err: Output, cwd: string, known: Known = {}): Promise<Found> {
  const onProgress = (progress: Progress): void => showProgress(err, readingText(progress));
  const result = await analyze([directory], diskWorld, { ...optionsOfTable, ...known, onProgress });
  showProgress(err, '');
  if (result.type === 'failed') {
    err.say(describeFailure(result.failure));
    return { isUnseen: false, isQuick: true };
  }
  const texts = await ownTexts(result);
  const view = await viewOf(result, false, cwd);
  const { colors, columns } = err;
  err.write(`\n${table(view, { colors, most: MAX_HOTSPOTS, columns })}\n`);
  for (const step of await nextSteps(directory, view, cwd)) err.write(colors.dim(`${step}\n`));
  await keepTexts(directory, texts, result); // Once the table is there: this takes up to a third as long as that.
  return { isUnseen: isUnseen(result.analysis), isQuick: view.hotspots.length === 0 };
}

/** What to type after the table of a new recording: how to verify a fix, and how to see more. */
async function nextSteps(directory: string, { found }: ResultView, cwd: string): Promise<readonly string[]> {
  const finding = found.findings.find(({ isInFunction }) => isInFunction);
  const known = finding === undefined ? null : await whatIsKnown(withoutOptions, { cwd, env: process.env });
  // With a baseline, that is what a fix is compared with.
  const isBase = known?.type === 'known' && known.recordings[0] === directory;
  const isNewest = (await chosenPath('.', cwd)).path === directory;
  const folder = plainText(shellText([shownPath(directory, cwd)]));
  return [
    ...(finding !== undefined && isBase ? [`After a fix: "hotspan recheck ${shellText([finding.place])}".`] : []),
    isNewest
      ? 'More: "hotspan analyze --all".'
      : `More: "hotspan analyze ${folder} --all", or its recording.json by "Hotspan: Open Profile…" in VS Code.`,
  ];
}

const withoutOptions = {
  base: null,
  baseline: null,
  recording: null,
  command: [],
  setup: null,
  install: null,
} as const;

/** `hotspan analyze` lists more. */
const MAX_HOTSPOTS = 10;

/** Which options find the files of a recording that are here under other paths. Folders are relative to the current one. */
function elsewhereHint(suggestion: PathSuggestion, currentFolder: string): string {
  const { rules, others } = suggestion;
  const shown = (folder: string): string => path.relative(currentFolder, folder).replace(/^$/, '.');
  const maps = rules.map(({ from, to }) => shellText(['--map', `${from}=${shown(to)}`])).join(' ');
  const also = others.length === 0 ? '' : `, or in ${others.map(shown).join(', ')}`;
  return `${foundElsewhere(suggestion)} here under another path${also}: add ${maps}`; // Without a stop, so that it can be copied.
}
