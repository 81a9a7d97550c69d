import { messageOf } from '../../protocol/failure.ts';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { OpenAnswer, OpenParams, ShownAs } from '../../protocol/requests.ts';
import { type Summary, isReplacedBy, type ResultParts } from '../../protocol/summary.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';
import type { TimesToRead } from '../../recordings/run-processes.ts';
import { recordingStamp } from '../../recordings/file-stamps.ts';
import { type KeptRecheck, type MeasuredCode, readRechecks } from '../../recordings/kept-rechecks.ts';
import type { FileAnnotations } from '../queries/file-annotations.ts';
import type { AnalysisProcess, OpenControl, OpenedInWorker, ReadAheadInWorker } from './analysis-process.ts';
import { ReadingAhead, startAnalysis } from './analysis-process.ts';
import type { Answer, Asked, QuestionName } from './questions.ts';

/** Each is a thread with a whole analysis. Measured on Node 24: 50 MB for a small suite. */
const MAX_RESULTS = 8;

/** Two million samples take 320 MB. In VS Code's Node all threads of a process share 4 GB. */
const MAX_BYTES = 1.5e9;

/** The open recordings: results on screen, one of each target, and others for flamegraphs. */
export class Recordings {
  readonly #workerFile: string;
  /** By name, least recently used first. */
  readonly #open = new Map<string, OpenRecording>();
  /** Functions marked in the last run of each target. */
  readonly #marked = new Map<string, readonly MarkedFunction[]>();
  #shown: readonly ShownRecording[] = [];
  /** An idle thread: the next recording does not wait for its start. */
  #spare: AnalysisProcess | null = null;
  /** Of the run that began last. */
  #ahead: ReadingAhead | null = null;
  /** Reads the next result of a target; ended by the next reading of the target. */
  readonly #reading = new Map<string, AnalysisProcess>();

  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  /** Newest first, without those whose thread has ended. */
  get shown(): readonly ShownRecording[] {
    return this.#shown.filter(({ process }) => !process.hasEnded());
  }

  /** Asks each result on screen, newest first. Leaves out one that is closed meanwhile, or whose thread ends. */
  async ofShown<Found>(ask: (result: ShownRecording) => Promise<Found>): Promise<readonly Found[]> {
    const asked = this.shown.map(async (result): Promise<readonly Found[]> => {
      try {
        return [await ask(result)];
      } catch (error) {
        if (!result.process.hasEnded()) throw error;
        return [];
      }
    });
    return (await Promise.all(asked)).flat();
  }

  /** Starts a thread ahead of time, and reads a recording while it is being made. */
  prepare(running: ReadAheadInWorker | null = null, times?: TimesToRead): void {
    if (this.#spare === null || this.#spare.hasEnded()) this.#spare = startAnalysis(this.#workerFile);
    this.#ahead?.dispose();
    this.#ahead = running === null ? null : new ReadingAhead(this.#workerFile, running, times);
  }

  /**
   * Reads a recording; one that is for its flamegraph alone only if it is not open, or another reading would differ. Only
   * the target's last one is shown.
   */
  async open(params: OpenParams, roots: readonly string[], control: OpenControl): Promise<OpenAnswer> {
    const { recording, more, shownAs, options } = params;
    const how = JSON.stringify({ roots, options });
    const written = recordingStamp(recording);
    const known = shownAs === null ? this.#readSo(recording, how, await written) : undefined;
    if (known !== undefined) return { type: 'opened', summary: known.summary, dropped: [] };
    const process = this.#takeAhead(recording) ?? this.#takeSpare() ?? startAnalysis(this.#workerFile);
    control.onCancel(() => {
      if (this.#open.get(recording)?.process !== process) process.dispose(); // Else the cancel comes too late.
    });
    if (shownAs !== null) this.#readNext(shownAs.target, process);
    const isOvertaken = (): boolean => shownAs !== null && this.#reading.get(shownAs.target) !== process;
    try {
      const marked = this.#marked.get(shownAs?.target ?? '') ?? [];
      const as = { isOurs: shownAs?.isOurs ?? false, isShown: shownAs !== null };
      const asked = { recording, more, ...as, marked, roots, options };
      const reading = { process, how, written: await written };
      const opened = await process.open(asked, control.onProgress);
      if (isOvertaken()) return { type: 'overtaken' };
      if (opened.type === 'opened') return this.#keepOpened(params, opened, reading);
      process.dispose();
      return opened;
    } catch (error) {
      process.dispose();
      if (isOvertaken()) return { type: 'overtaken' };
      return { type: 'failed', message: messageOf(error) };
    } finally {
      if (shownAs !== null && !isOvertaken()) this.#reading.delete(shownAs.target);
    }
  }

  async ask<Name extends QuestionName>(
    recording: string,
    name: Name,
    asked: Asked<Name>,
    token?: CancellationToken,
  ): Promise<Answer<Name>> {
    const found = this.#open.get(recording);
    if (found === undefined)
      throw new Error('This recording is no longer open: close the flamegraph and open it again.');
    this.#open.delete(recording);
    this.#open.set(recording, found);
    return found.process.ask(name, asked, token);
  }

  /** Annotations of a file; null where the recording does not know it. */
  async file(recording: string, path: string): Promise<FileAnnotations | null> {
    const found = this.#open.get(recording);
    if (found === undefined) return null;
    const asked = found.files.get(path) ?? found.process.ask('file', path);
    found.files.set(path, asked);
    return asked;
  }

  /** Adds tiers that were recorded since the results were opened. */
  async takeTiers(): Promise<void> {
    await this.ofShown(async ({ process, files }) => {
      await process.takeTiers();
      files.clear();
    });
  }

  /** An open recording, unless its thread has ended. */
  opened(recording: string): OpenRecording | undefined {
    const found = this.#open.get(recording);
    return found?.process.hasEnded() === true ? undefined : found;
  }

  /** Forgets the result of a target, or all (null). Flamegraphs of open recordings stay. */
  forget(target: string | null): void {
    for (const one of target === null ? [...this.#reading.keys()] : [target]) this.#readNext(one, null);
    this.#shown = target === null ? [] : this.#shown.filter((one) => one.target !== target);
    this.#closeOthers(null);
  }

  clear(): void {
    this.forget(null);
    this.#takeSpare()?.dispose();
    this.#ahead?.dispose();
    for (const name of [...this.#open.keys()]) this.#close(name);
  }

  #onScreen(recording: string): OpenRecording | undefined {
    return this.shown.find(({ summary }) => summary.recording === recording);
  }

  /** An open recording that need not be read again: it is on screen, has not changed, or is gone from the disk. */
  #readSo(recording: string, how: string, written: string): OpenRecording | undefined {
    const found = this.opened(recording);
    const isSame = found?.how === how && (found.written === written || written === '');
    return isSame ? found : this.#onScreen(recording);
  }

  #takeAhead(recording: string): AnalysisProcess | null {
    if (this.#ahead?.asked.recording !== recording) return null;
    const process = this.#ahead.take();
    this.#ahead = null;
    return process;
  }

  #takeSpare(): AnalysisProcess | null {
    const spare = this.#spare;
    this.#spare = null;
    return spare?.hasEnded() === false ? spare : null;
  }

  #readNext(target: string, process: AnalysisProcess | null): void {
    this.#reading.get(target)?.dispose();
    if (process === null) this.#reading.delete(target);
    else this.#reading.set(target, process);
  }

  #keepOpened(
    { recording, more, shownAs }: OpenParams,
    { marked, bytes, ...read }: Extract<OpenedInWorker, { readonly type: 'opened' }>,
    reading: Pick<OpenRecording, 'process' | 'how' | 'written'>,
  ): OpenAnswer {
    const onScreen = shownAs === null ? this.#onScreen(recording) : undefined;
    if (onScreen !== undefined) {
      reading.process.dispose(); // It has come on screen meanwhile.
      return { type: 'opened', summary: onScreen.summary, dropped: [] };
    }
    if (shownAs?.isOurs === true) this.#marked.set(shownAs.target, marked);
    const before = this.#open.get(recording);
    const isOurs = shownAs?.isOurs ?? before?.isOurs ?? false;
    const isSame = before?.isOurs === isOurs && before.written === reading.written;
    const rechecks = isSame ? before.rechecks : rechecksOf(isOurs ? readRechecks(recording) : Promise.resolve([]));
    const summary = { ...read.summary, written: reading.written };
    const opened = { ...reading, summary, bytes, files: new Map(), isOurs, rechecks };
    return { ...read, summary, dropped: this.#keep(opened, [recording, ...more], shownAs) };
  }

  /** Returns the targets that no longer fit into memory. */
  #keep(opened: OpenRecording, recordings: readonly string[], shownAs: ShownAs | null): readonly string[] {
    const name = opened.summary.recording;
    this.#close(name);
    this.#open.set(name, opened);
    if (shownAs === null) {
      // A result whose thread has ended has another one now.
      this.#shown = this.#shown.map((one) => (one.summary.recording === name ? { ...one, ...opened } : one));
      this.#closeOthers(name);
      return [];
    }
    const next = { ...opened, recordings, target: shownAs.target, shownAt: shownAs.shownAt };
    const stay = this.#shown.filter((one) => !isReplacedBy(one, next));
    const { kept, dropped } = withinMemory([next, ...stay].toSorted((a, b) => b.shownAt - a.shownAt));
    this.#shown = kept;
    for (const { summary } of dropped) this.#close(summary.recording);
    this.#closeOthers(null);
    return dropped.map(({ target }) => target);
  }

  /** Closes recordings that are not shown, except one and those that were used last. */
  #closeOthers(name: string | null): void {
    const names = new Set([...this.#shown.map(({ summary }) => summary.recording), name]);
    const others = [...this.#open.keys()].filter((other) => !names.has(other));
    for (const old of others.slice(0, Math.max(0, others.length - MAX_OTHERS))) this.#close(old);
  }

  #close(name: string): void {
    this.#open.get(name)?.process.dispose();
    this.#open.delete(name);
  }
}

/** The re-checks of the functions of a recording. */
export interface Rechecks {
  /** Those that run, by function id, with the code that was on the disk when they began; null where that is not known. */
  readonly running: Map<number, { readonly text: string; readonly code: MeasuredCode | null }>;
  /** Newest first; of a function one for each code. */
  readonly done: KeptRecheck[];
}

async function rechecksOf(done: Promise<readonly KeptRecheck[]>): Promise<Rechecks> {
  return { running: new Map(), done: [...(await done)] };
}

export interface OpenRecording {
  readonly summary: Summary;
  readonly process: AnalysisProcess;
  readonly bytes: number;
  /** Annotations by path. */
  readonly files: Map<string, Promise<FileAnnotations | null>>;
  /** Whether it may keep files beside the recording. */
  readonly isOurs: boolean;
  /** Stay when the recording is read again. */
  readonly rechecks: Promise<Rechecks>;
  /** The options and the open folders with which it was read. */
  readonly how: string;
  /** Its stamp when it was read. */
  readonly written: string;
}

/** A result on screen. */
export interface ShownRecording extends OpenRecording, ResultParts, Pick<ShownAs, 'shownAt'> {}

/** Limit of recordings in memory that are not results, for flamegraphs. */
const MAX_OTHERS = 3;

/** The newest results that fit into the memory limit together. The newest always stays. */
function withinMemory<Result extends { readonly bytes: number }>(
  newestFirst: readonly Result[],
): { readonly kept: readonly Result[]; readonly dropped: readonly Result[] } {
  let bytes = 0;
  const sums = newestFirst.map((one) => (bytes += one.bytes));
  const isKept = (_: Result, index: number): boolean =>
    index === 0 || (index < MAX_RESULTS && (sums[index] ?? 0) <= MAX_BYTES);
  return { kept: newestFirst.filter(isKept), dropped: newestFirst.filter((one, index) => !isKept(one, index)) };
}
