import { failed, type Failure } from '../../protocol/failure.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type KnownCode, knownCodeIn } from '../../engine/compare/compare-recordings.ts';
import { lineIn } from '../../engine/compare/find-function.ts';
import { isSameCode } from '../../engine/compare/match-functions.ts';
import { fileBelow, type SideFunction } from '../../engine/compare/side.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { stampsOf } from '../../recordings/file-stamps.ts';
import { filesOfRun } from '../../recorder/launch/pairs/code-watch.ts';
import { stopSignals } from '../../recorder/launch/run/end-command.ts';
import { interrupt, onSentence, resultOf, startCommandLine } from '../../recorder/launch/run/own-command-line.ts';
import { plural } from '../../words/formats/figures.ts';
import type { WatchArguments } from '../arguments/recheck-arguments.ts';
import { plainText, refuse, type Session, showProgress, type Surroundings } from '../views/terminal.ts';
import { whyNot } from './compare.ts';
import { type Known, whatIsKnown } from './known-base.ts';
import { functionIn, queryOf, readingOptions, withChangedFiles } from './named-function.ts';

/**
 * After each save, re-checks the functions whose code it changed, or the code that they call, one after the other, each
 * in a process of its own: a newer save stops that. Prints one line for each result. Ends at Ctrl+C with exit code 0; 2
 * where there is nothing to watch.
 */
export async function watchCommand(session: Session<WatchArguments>): Promise<number> {
  const { options, terminal, surroundings } = session;
  const known = await whatIsKnown(options, surroundings);
  if (known.type === 'failed') return refuse(terminal.err, known.message);
  const watched = await watchedOf(known, options, surroundings);
  if ('type' in watched) return refuse(terminal.err, watched.message);
  const ran = (await Promise.all(known.recordings.map(filesOfRun))).flat();
  const stopping = new AbortController();
  for (const signal of stopSignals) process.on(signal, () => stopping.abort());
  await watch(watched, {
    ...session,
    ...{ words: wordsFor(known, options), isBaseRecorded: known.base === null, ran, measured: new Map() },
    stopping: stopping.signal,
  });
  return 0;
}

/** A function that is watched. */
interface Watched {
  readonly fn: SideFunction;
  /** The functions in its file. */
  readonly inFile: readonly SideFunction[];
  /** Absolute path of its file. */
  readonly file: string;
  /** Texts by absolute path, of its file and of those with what it calls. */
  readonly recorded: Texts;
}

/** Null where the file cannot be read. */
type Texts = ReadonlyMap<string, string | null>;

interface WatchSession extends Session<WatchArguments> {
  /** Options for the re-check of each function. */
  readonly words: readonly string[];
  /** Whether the base is the code of the last recording. */
  readonly isBaseRecorded: boolean;
  /** Absolute paths of files that ran in the recordings, such as a build, which may be older than a save. */
  readonly ran: readonly string[];
  /** The code of each function that was measured last, if it is other than the recorded code; all that ran without an answer. */
  readonly measured: Map<Watched, Texts>;
  /** Aborted by Ctrl+C. */
  readonly stopping: AbortSignal;
}

/** The functions of the open findings, or the one that is named, with the code that the recording has of them. */
async function watchedOf(
  { recordings }: Known,
  options: WatchArguments,
  surroundings: Surroundings,
): Promise<readonly Watched[] | Failure> {
  const reading = readingOptions(options, surroundings);
  const runs = recordings.map((one) => [one]);
  const read = await knownCodeIn(runs, diskWorld, reading);
  if (read.type !== 'read') return failed(whyNot(read));
  const named = await functionsOf(options, read, surroundings);
  if ('type' in named) return named;
  return Promise.all(
    named.map(async (fn) => {
      const files = read.filesBelow(fn);
      const inFile = read.functions.filter(({ identity }) => identity.file === fn.identity.file);
      const file = files.find((one) => fileBelow(one, read.roots) === fn.identity.file) ?? files[0] ?? '';
      const texts = files.map(async (one) => [one, (await read.keptText(one)) ?? (await textOf(one))] as const);
      const recorded = new Map(await Promise.all(texts));
      return { fn, inFile, file, recorded };
    }),
  );
}

async function functionsOf(
  { function: typed, thresholdUs }: WatchArguments,
  read: KnownCode,
  { cwd }: Surroundings,
): Promise<readonly SideFunction[] | Failure> {
  if (typed === null) {
    const findings = read.findings().filter((fn) => read.filesBelow(fn).length > 0);
    return findings.length > 0
      ? findings
      : failed('The recording has no finding in your code: name a function, "hotspan recheck --watch src/cart.ts:12".');
  }
  const asked = await queryOf(typed, cwd);
  if (asked.type === 'failed') return asked;
  const found = functionIn(read.functions, await withChangedFiles(asked, read, cwd), typed, thresholdUs);
  if (found.type === 'failed') return found;
  return found.fn !== undefined && read.filesBelow(found.fn).length > 0
    ? [found.fn]
    : failed(`${typed} was not seen in the recording, so what it calls is not known: record the tests that reach it.`);
}

/** The options of a watch that each re-check gets. */
function wordsFor({ base, recordings }: Known, options: WatchArguments): readonly string[] {
  const recording = base === null ? (recordings[0] ?? null) : options.recording;
  const given = { base: options.base, baseline: options.baseline, setup: options.setup, install: options.install };
  const texts = Object.entries({ ...given, recording }).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}=${value}`],
  );
  return [
    ...texts,
    ...(options.atMostUs === null ? [] : [`--at-most=${options.atMostUs}us`]),
    `--threshold=${options.thresholdUs}us`,
    ...options.maps.map(({ from, to }) => `--map=${from}=${to}`),
    ...(options.format === 'text' ? [] : ['--json']),
    ...(options.format === 'brief' ? ['--brief'] : []),
    ...(options.command.length === 0 ? [] : ['--', ...options.command]),
  ];
}

async function watch(watched: readonly Watched[], session: WatchSession): Promise<void> {
  const { measured, stopping, terminal } = session;
  const files = [...new Set(watched.flatMap(({ recorded }) => [...recorded.keys()]))];
  const subject = watched.length === 1 ? (watched[0]?.fn.place.label ?? '') : plural(watched.length, 'finding');
  terminal.err.say(`Watching ${subject} in ${plural(files.length, 'file')}. Ctrl+C ends it.`);
  const all = [...new Set([...files, ...session.ran])];
  while (!stopping.aborted) {
    const texts = await textsOf(all);
    if (session.isBaseRecorded) sayRecorded(watched, texts, session);
    const due = watched.find((one) => isChanged(measured.get(one) ?? one.recorded, texts));
    if (due === undefined) await nextSave(all, texts, stopping);
    else await recheckUntilSaved(due, { files, texts }, session);
  }
  showProgress(terminal.err, '');
}

/** Whether more than white space and comments differs. */
function isChanged(before: Texts, now: Texts): boolean {
  return [...before].some(([file, text]) => {
    const other = now.get(file) ?? null;
    return text === null || other === null ? text !== other : !isSameCode(file, text, other);
  });
}

/** Names the functions whose code was changed, and is as it was recorded again: there is nothing to judge. */
function sayRecorded(watched: readonly Watched[], texts: Texts, { measured, terminal }: WatchSession): void {
  const back = watched.filter((one) => measured.has(one) && !isChanged(one.recorded, texts));
  for (const one of back) measured.delete(one);
  if (back.length > 0)
    terminal.err.say(`${back.map(({ fn }) => fn.place.label).join(', ')}: the recorded code again, nothing to judge.`);
}

interface SavedFiles {
  /** Those whose save stops a re-check. */
  readonly files: readonly string[];
  readonly texts: Texts;
}

/** Re-checks a function, and prints the answer, if no save stops it. */
async function recheckUntilSaved(due: Watched, { files, texts }: SavedFiles, session: WatchSession): Promise<void> {
  const { terminal, surroundings, stopping } = session;
  const cli = path.join(path.dirname(surroundings.recorderFile), 'cli.cjs');
  const args = ['recheck', placeNow(due, texts), ...session.words];
  const child = startCommandLine({ node: process.execPath, cli, args, cwd: surroundings.cwd });
  const said: string[] = [];
  onSentence(child, (sentence) => {
    said.push(sentence);
    showProgress(terminal.err, plainText(`${due.fn.place.label}: ${sentence}`));
  });
  const over = new AbortController();
  stopping.addEventListener('abort', () => over.abort(), { signal: over.signal });
  const result = resultOf(child).finally(() => over.abort());
  const isSaved = await nextSave(files, texts, over.signal);
  if (isSaved || stopping.aborted) interrupt(child);
  const { stdout } = await result;
  showProgress(terminal.err, '');
  if (isSaved || stopping.aborted) return;
  const hasAnswer = stdout !== '';
  session.measured.set(due, new Map([...texts].filter(([file]) => !hasAnswer || due.recorded.has(file))));
  if (!hasAnswer) terminal.err.say(`${due.fn.place.label}: ${said.at(-1) ?? 'the re-check ended without a word.'}`);
  else terminal.out.write(session.options.format !== 'text' ? `${JSON.stringify(parseJson(stdout))}\n` : stdout);
}

/** How to name the function for a re-check: by its line in the current text; by its name where it is not there any more. */
function placeNow({ fn, inFile, file }: Watched, texts: Texts): string {
  const text = texts.get(file) ?? null;
  const line = text === null ? null : lineIn(text, fn, inFile);
  return line === null ? fn.place.label : `${file}:${line}`;
}

/** In ms. By polling, because network drives and containers report no changes. */
const POLL_EACH_MS = 200;

/**
 * Waits until a file has another text, and nothing was written between two looks: a formatter saves again. What the
 * command itself writes again has the same text. Gives false once aborted.
 */
async function nextSave(files: readonly string[], texts: Texts, signal: AbortSignal): Promise<boolean> {
  let [last, read] = ['', ''];
  for (;;) {
    await delay(POLL_EACH_MS, null, { signal }).catch(() => null);
    if (signal.aborted) return false;
    const now = await stampsOf(files);
    if (now === last && now !== read) {
      const other = await textsOf(files);
      if (files.some((file) => other.get(file) !== texts.get(file))) return true;
      read = now;
    }
    last = now;
  }
}

async function textsOf(files: readonly string[]): Promise<Texts> {
  return new Map(await Promise.all(files.map(async (file) => [file, await textOf(file)] as const)));
}

async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
