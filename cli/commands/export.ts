import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Analysis } from '../../engine/analysis.ts';
import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { reasonOf } from '../../recordings/private-files.ts';
import { type ExportedPart, longestOperation } from '../../show/export/export-rows.ts';
import type { ExportTexts } from '../../show/export/frames.ts';
import { leafLines } from '../../show/export/leaf-lines.ts';
import { pprofOf } from '../../show/export/pprof.ts';
import { cpuprofileOf, exportedThread, foldedOf, speedscopeOf } from '../../show/export/text-formats.ts';
import { describeFailure } from '../../words/failures.ts';
import { plural } from '../../words/formats/figures.ts';
import { summaryOf } from '../../words/summary.ts';
import type { ExportArguments } from '../arguments/export-arguments.ts';
import { scrubbedTexts } from '../views/scrubbed-texts.ts';
import { type Output, readingText, refuse, showProgress, type Terminal } from '../views/terminal.ts';
import { chosenPath } from './find-recording.ts';

/** Writes a recording in the format of another profiler. Gives the exit code: 0; 2: it cannot be read or written. */
export async function exportCommand(
  options: ExportArguments,
  terminal: Terminal,
  currentFolder: string,
): Promise<number> {
  const { out, err } = terminal;
  if (options.format === 'pprof' && options.out === null && out.isTerminal)
    return refuse(err, 'A pprof file is binary: name a file with -o.');
  const chosen = await chosenPath(options.path, currentFolder);
  if (chosen.sentence !== null) err.say(chosen.sentence);
  const result = await analyze([chosen.path], diskWorld, {
    ...{ thresholdUs: defaultThresholdUs, roots: [], currentFolder, sourceMaps: true },
    ...(err.isTerminal ? { onProgress: (progress) => showProgress(err, readingText(progress)) } : {}),
  });
  showProgress(err, '');
  if (result.type === 'failed') return refuse(err, describeFailure(result.failure));
  const { analysis } = result;
  const { part, format } = options;
  if (part !== 'all' && longestOperation(analysis, part) === undefined)
    return refuse(
      err,
      `Operation ${part} does not exist: the recording has ${plural(analysis.operations.length, 'operation')}.`,
    );
  if (format === 'cpuprofile') sayOneThread(analysis, part, err);
  const texts = options.scrub ? scrubbedTexts(analysis, os.homedir()) : plainTexts(analysis, chosen.path);
  return write(await exported(result, options, texts), options, terminal, currentFolder);
}

function sayOneThread(analysis: Analysis, part: ExportedPart, { say }: Output): void {
  const { name, others } = exportedThread(analysis, part);
  if (others > 0)
    say(`A .cpuprofile has one thread: it is ${name}, the busiest. Other formats have all ${others + 1}.`);
}

function plainTexts(analysis: Analysis, recording: string): ExportTexts {
  const same = (text: string): string => text;
  return { name: same, place: same, route: same, title: summaryOf(analysis, recording).title };
}

async function exported(
  { analysis, mapper }: Extract<AnalyzeResult, { readonly type: 'analyzed' }>,
  { format, part }: ExportArguments,
  texts: ExportTexts,
): Promise<Uint8Array | Iterable<string>> {
  if (format === 'pprof') return promisify(gzip)(pprofOf(analysis, part, texts, await leafLines(analysis, mapper)));
  const textOf = { speedscope: speedscopeOf, folded: foldedOf, cpuprofile: cpuprofileOf }[format];
  return textOf(analysis, part, texts);
}

async function write(
  content: Uint8Array | Iterable<string>,
  { out: typed }: ExportArguments,
  { out, err }: Terminal,
  currentFolder: string,
): Promise<number> {
  if (typed === null) {
    if (content instanceof Uint8Array) process.stdout.write(content);
    else await out.writeAll(piecewise(content));
    return 0;
  }
  try {
    await writeFile(path.resolve(currentFolder, typed), content);
    return 0;
  } catch (error) {
    return refuse(err, `${typed} cannot be written (${reasonOf(error)}): name another file.`);
  }
}

async function* piecewise(texts: Iterable<string>): AsyncGenerator<string, undefined> {
  yield* texts;
  return undefined;
}
