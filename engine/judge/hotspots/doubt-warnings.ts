import type { Warning } from '../../../words/warnings/warning-text.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { JudgedRun } from './judged-run.ts';
import { isLossOfProgram, nameBelow, outdatedBuild, unseenTimes } from './losses.ts';
import { maxOf } from '../../../protocol/figures.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { isBackground, readyTime } from '../../read/samples/sample-stream.ts';
import { metaNodes } from '../../read/samples/call-tree.ts';
import { sumOf } from '../../basics/lists.ts';
import { waitersOf } from '../../cut/streams/tree-facts.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { askingSignals } from '../../../protocol/recording.ts';
import { testPatterns } from '../../../protocol/test-files.ts';
import type { Sources } from '../../read/recording-files/isolate-source.ts';
import { fileKey } from '../../read/files/file-path.ts';
import type { ChangedSince } from '../../read/texts/kept-texts.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';

type Found = Pick<JudgedRun, 'operations' | 'verdicts' | 'streams' | 'bridged' | 'selfTimes' | 'flags' | 'thresholdUs'>;

/** How busy the machine was, and each reason to doubt long operations that were measured. */
export function doubtWarnings(found: Found): readonly Warning[] {
  const { operations, streams, thresholdUs } = found;
  const long = operations.filter((one) => one.held > thresholdUs && !isBackground(streams[one.stream]));
  const slowed = long.filter(({ doubt }) => doubt === 'recorder');
  return [
    ...busyMachine(streams),
    ...noProcessor(long),
    ...(slowed.length === 0
      ? []
      : [{ type: 'slowedByRecorder', operations: slowed.length, long: long.length } as const]),
    ...unsampledTime(streams),
    ...withoutSamples(found),
    ...lateSamples(found),
    ...rareSamples(found),
  ];
}

/** Long operations of which nothing is known, or not what ran for long. */
function withoutSamples(found: Found): readonly Warning[] {
  const times = unseenTimes(found);
  return times.length === 0
    ? []
    : [{ type: 'unsampledOperations', operations: times.length, worst: microseconds(maxOf(times)) }];
}

/** Threads of one machine that slept have the same gap, so times are not added up. */
function unsampledTime(streams: JudgedRun['streams']): readonly Warning[] {
  const time = streams.reduce((most, { unsampled }) => Math.max(most, unsampled), 0);
  return time === 0 ? [] : [{ type: 'unsampledTime', time: microseconds(time) }];
}

/** Files with hotspots, or built ones that hotspots were in, that have or may have another text than ran. */
export function changedFiles(
  { functions: { functions }, figures, roots }: Pick<JudgedRun, 'functions' | 'figures' | 'roots'>,
  { profiled, outdated }: Pick<ChangedSince, 'profiled' | 'outdated'>,
): readonly Warning[] {
  const hot = functions.filter(({ id }) => (figures[id]?.culprit ?? figures[id]?.backgroundCulprit ?? null) !== null);
  const paths = new Set(hot.flatMap(({ path, generated }) => [fileKey(path ?? ''), fileKey(generated?.url ?? '')]));
  const builds = outdated.filter(({ source }) => paths.has(fileKey(source)));
  const shown = profiled.filter(({ path }) => paths.has(fileKey(path)));
  const named = shown.slice(0, MAX_FILES).map(({ path, ...file }): Warning => {
    return { type: 'fileChanged', file: nameBelow(path, roots), ...file };
  });
  const others = shown.length - named.length;
  const more: readonly Warning[] = others === 0 ? [] : [{ type: 'moreFilesChanged', files: others }];
  return [...outdatedBuild(builds, roots), ...named, ...more];
}

/** The user does not read more. */
const MAX_FILES = 5;

/** How much of its ready time the program ran; only if it waited for over a tenth. */
function busyMachine(streams: JudgedRun['streams']): readonly Warning[] {
  const { ran, waited, wall } = readyTime(streams);
  // A program that sleeps nearly always is woken late now and then.
  return waited <= MIN_WAIT_SHARE * wall ? [] : [{ type: 'busyMachine', ran, waited }];
}

const MIN_WAIT_SHARE = 0.1;

/** For systems that do not count how long a thread waited for a CPU (all but Linux). */
function noProcessor(long: readonly Operation[]): readonly Warning[] {
  const doubted = long.filter(({ doubt }) => doubt === 'noProcessor');
  const [worst] = doubted.toSorted((a, b) => b.held - a.held);
  if (worst === undefined) return [];
  const ran = worst.thread.run ?? microseconds(0);
  const duration = microseconds(worst.end - worst.start);
  return [{ type: 'noProcessor', operations: doubted.length, long: long.length, ran, duration }];
}

/**
 * Samples come late on a busy machine. That time is never subtracted: a call that waits for a disk gives one sample.
 */
function lateSamples({ streams, bridged, selfTimes, flags }: Found): readonly Warning[] {
  // In a recording, its turns say it better.
  if (streams.length === 0 || !streams.every(({ turns, tiered }) => turns === null && tiered === null)) return [];
  const all = streams.flatMap(({ tree, durations, times, end }, index) => {
    const [nodes, selfTime] = [bridged[index]?.nodes, selfTimes[index]];
    if (nodes === undefined || selfTime === undefined || durations === null || durations.late === 0) return [];
    const waiter = waitersOf(tree, flags);
    const works = (node: number): boolean => node !== metaNodes.idle && waiter[node] === -1;
    let working = 0;
    for (let node = 0; node < tree.size; node++) if (works(node)) working += selfTime[node] ?? 0;
    /** How much of `working` lies between two samples that are far apart, in µs; at most `mostLate`. */
    const late = (): number => {
      let sum = 0;
      times.lasts(end).eachAbove(durations.late, (sample, time) => {
        if (works(nodes[sample] ?? 0)) sum += time;
      });
      return sum;
    };
    return [{ working, late, mostLate: durations.sumOfLate }];
  });
  const working = sumOf(all, (one) => one.working);
  const isMuch = (late: number): boolean => working >= MIN_WORKING && late > MAX_LATE * working;
  // Nearly always this is enough to know, and there may be millions of samples.
  if (!isMuch(sumOf(all, ({ mostLate }) => mostLate))) return [];
  const late = sumOf(all, (one) => one.late());
  return isMuch(late) ? [{ type: 'lateSamples', late, working }] : [];
}

/** Samples of inferred turns that are so far apart that two of them, or one, look longer than the threshold. */
function rareSamples({ streams, thresholdUs }: Found): readonly Warning[] {
  const interval = streams.reduce((most, { durations, times }) => {
    return times.length < MIN_FOR_INTERVAL ? most : Math.max(most, durations?.onTime ?? 0);
  }, 0);
  return interval * 2 <= thresholdUs ? [] : [{ type: 'rareSamples', interval: microseconds(interval) }];
}

/** Fewer samples have no usual interval. */
const MIN_FOR_INTERVAL = 10;

/** Maximum share of late time on a quiet machine: measured were 3 to 14 % there, and 38 to 88 % on a busy one. */
const MAX_LATE = 0.25;
/** Minimum working time in µs for a warning. */
const MIN_WORKING = 200_000;

/** Whether the recording lacks what it was made for: all own code, or the one test that the command names. */
export function unseenProgram(
  { recording, isolates, warnings, losses }: Pick<Sources, 'recording' | 'isolates' | 'warnings' | 'losses'>,
  functions: readonly FunctionInfo[],
  doubts: readonly Warning[],
): readonly Warning[] {
  if (recording.command === null) return [];
  const own = functions.filter((fn) => fn.own);
  const named = recording.command.slice(1).filter((word) => source.test(word) && !word.includes('node_modules'));
  const [file] = named;
  const isIn = (seen: readonly FunctionInfo[]): boolean =>
    seen.some(({ url }) => file !== undefined && stemOf(url) === stemOf(file));
  const isTest = named.length === 1 && testPatterns.some((pattern) => pattern.test(file ?? ''));
  if (own.length > 0 && (!isTest || isIn(own))) return [];
  // It ran, outside of the folders that are analyzed.
  if (own.length === 0 && isIn(functions.filter(({ kind }) => kind === 'other'))) return [];
  if (own.length === 0 && [...warnings, ...losses].some(isLossOfProgram)) return []; // That says why.
  const [tool] = isolates.flatMap(({ command }) => cachingTool(command ?? '') ?? []);
  // A failure is not replayed.
  if (tool !== undefined && recording.exitCode === 0) return [{ type: 'cacheReplayed', tool }];
  const { exitCode = null, signal = null, load } = recording;
  const hasFailed = (exitCode ?? 0) !== 0 || signal !== null;
  if (!hasFailed && doubts.some(({ type }) => type === 'unsampledOperations')) return []; // It may have run there.
  return [{ type: 'nothingSeen', file: file ?? null, exitCode, signal, hasLoad: load !== undefined }];
}

/** Whether a suite was asked to end: some of its tests may not have run. A server is usually ended so. */
export function stoppedTests(
  { signal, exitCode }: Sources['recording'],
  streams: JudgedRun['streams'],
): readonly Warning[] {
  if (!streams.some(({ tests }) => tests !== null)) return [];
  const asked = [...askingSignals].find(([name, code]) => name === signal || code === exitCode);
  return asked === undefined ? [] : [{ type: 'stoppedTests', signal: asked[0] }];
}

const source = /^[^-][^*?]*\.[cm]?[jt]sx?$/;

/** The tool of a script, if it replays cached runs; else null. */
function cachingTool(script: string): 'turbo' | 'nx' | null {
  const [, name] = /[\\/]node_modules[\\/](?:\.bin[\\/])?(turbo|nx)(?:[\\/]|$)/.exec(script) ?? [];
  return name === 'turbo' || name === 'nx' ? name : null;
}

function stemOf(path: string): string {
  return fileNameOf(path.replaceAll('\\', '/')).replace(source, (name) => name.slice(0, name.lastIndexOf('.')));
}
