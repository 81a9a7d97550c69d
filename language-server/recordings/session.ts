import type { TextDocuments, CancellationToken, Connection } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DisplayOptions, OpenAnswer, OpenParams, Summary } from '../../protocol/requests.ts';
import type { Progress } from '../../engine/isolates/load-isolates.ts';
import type { FileAnnotations } from '../queries/file-annotations.ts';
import { type AnalysisProcess, startAnalysis } from './analysis-process.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';
import type { QuestionName, Questions } from './worker-protocol.ts';

/** The state that all handlers share: together with its recordings, all the state that the server has. */
export class Session {
  readonly recordings: Recordings;
  readonly documents: TextDocuments<TextDocument>;
  /** Absolute paths of the folders that are open in the editor. */
  #roots: readonly string[] = [];
  #display: DisplayOptions = { metric: 'worst', codeLens: true, loading: false };

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(workerFile: string, documents: TextDocuments<TextDocument>) {
    this.recordings = new Recordings(workerFile);
    this.documents = documents;
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  get display(): DisplayOptions {
    return this.#display;
  }

  changeRoots(added: readonly string[], removed: readonly string[]): void {
    this.#roots = [...this.#roots.filter((root) => !removed.includes(root)), ...added];
  }

  changeDisplay(display: DisplayOptions): void {
    this.#display = display;
  }
}

export interface Call {
  readonly connection: Connection;
  readonly token: CancellationToken;
}

/** The recordings that are open. */
export class Recordings {
  readonly #workerFile: string;
  /** Open recordings by name; the one that was asked for longest ago comes first. */
  readonly #open = new Map<string, OpenRecording>();
  /** Functions marked in the last annotated run of each target, by target. */
  readonly #marked = new Map<string, readonly MarkedFunction[]>();
  #annotated: string | null = null;
  /** Reads the recording that is to be annotated next. It is ended when another recording, or none, is asked for. */
  #annotating: AnalysisProcess | null = null;

  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  /** The recording that lines, lenses and lists show. */
  get annotated(): OpenRecording | null {
    return this.#annotated === null ? null : (this.#open.get(this.#annotated) ?? null);
  }

  /**
   * Reads a recording. One that is to be annotated is always read anew, because it may be another one of the same name.
   * If several are to be annotated, the last one is, and the others fail.
   */
  async open(params: OpenParams, roots: readonly string[], control: OpenControl): Promise<OpenAnswer> {
    const { recording, annotate, target, options } = params;
    const known = this.#open.get(recording);
    if (known !== undefined && !annotate) return { type: 'opened', summary: known.summary };
    const process = startAnalysis(this.#workerFile);
    control.onCancel(() => process.dispose());
    if (annotate) this.#annotateNext(process);
    try {
      const before = this.#marked.get(target ?? '') ?? [];
      const asked = { recording, isOurs: target !== null, marked: before, roots, options };
      const { answer, marked } = await process.open(asked, control.onProgress);
      if (annotate && this.#annotating !== process) return overtaken;
      if (answer.type === 'failed') process.dispose();
      else this.#keep({ summary: answer.summary, process, files: new Map(), changes: new Map() }, annotate);
      if (answer.type === 'opened' && target !== null) this.#marked.set(target, marked);
      return answer;
    } catch (error) {
      process.dispose();
      if (annotate && this.#annotating !== process) return overtaken;
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    } finally {
      if (this.#annotating === process) this.#annotating = null;
    }
  }

  async ask<Name extends QuestionName>(
    recording: string,
    name: Name,
    asked: Questions[Name]['asked'],
  ): Promise<Questions[Name]['answer']> {
    const found = this.#open.get(recording);
    if (found === undefined)
      throw new Error('This recording is no longer open: close the flamegraph and open it again.');
    this.#open.delete(recording);
    this.#open.set(recording, found);
    return found.process.ask(name, asked);
  }

  /** Annotations of a file in the annotated recording; null where it knows nothing of the file. */
  async file(path: string): Promise<FileAnnotations | null> {
    const { annotated } = this;
    if (annotated === null) return null;
    const asked = annotated.files.get(path) ?? annotated.process.ask('file', path);
    annotated.files.set(path, asked);
    return asked;
  }

  /** Takes over tiers that were recorded since the annotated recording was opened. */
  async takeTiers(): Promise<void> {
    const { annotated } = this;
    if (annotated === null) return;
    await annotated.process.takeTiers();
    annotated.files.clear();
  }

  /** Keeps what a re-check says of a function, until the recording is replaced by the next run; null forgets it. */
  showChange(recording: string, functionId: number, text: string | null): void {
    const changes = this.#open.get(recording)?.changes;
    if (text === null) changes?.delete(functionId);
    else changes?.set(functionId, text);
  }

  /** Ends annotating. Flamegraphs of open recordings stay. */
  forgetAnnotated(): void {
    this.#annotateNext(null);
    this.#annotated = null;
  }

  /** Forgets all recordings. What is still asked of them fails. */
  clear(): void {
    this.#annotateNext(null);
    for (const { process } of this.#open.values()) process.dispose();
    this.#open.clear();
    this.#annotated = null;
  }

  #annotateNext(process: AnalysisProcess | null): void {
    this.#annotating?.dispose();
    this.#annotating = process;
  }

  #keep(opened: OpenRecording, annotate: boolean): void {
    const name = opened.summary.recording;
    this.#close(name);
    this.#open.set(name, opened);
    if (annotate) this.#annotated = name;
    const others = [...this.#open.keys()].filter((other) => other !== this.#annotated && other !== name);
    for (const old of others.slice(0, Math.max(0, this.#open.size - mostOpen))) this.#close(old);
  }

  #close(name: string): void {
    this.#open.get(name)?.process.dispose();
    this.#open.delete(name);
  }
}

interface OpenRecording {
  readonly summary: Summary;
  readonly process: AnalysisProcess;
  /** Annotations by path, each asked for once. */
  readonly files: Map<string, Promise<FileAnnotations | null>>;
  /** What re-checks say, by the number of the function. */
  readonly changes: Map<number, string>;
}

interface OpenControl {
  readonly onProgress: (progress: Progress) => void;
  /** Calls back when the person cancels. */
  readonly onCancel: (callback: () => void) => void;
}

/** Most recordings in memory: the annotated one and those of the last flamegraphs. */
const mostOpen = 4;

const overtaken: OpenAnswer = { type: 'failed', message: 'Another recording was asked for meanwhile.' };
