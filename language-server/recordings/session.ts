import { messageOf } from '../../protocol/failure.ts';
import type { ClientCapabilities, TextDocuments, CancellationToken } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DisplayOptions, DiffSummary, OpenDiffAnswer, OpenDiffParams } from '../../protocol/requests.ts';
import { usualColumns } from '../../protocol/requests.ts';
import { Recordings } from './recordings.ts';
import { type CodeText, codeText } from '../../protocol/code-text.ts';
import { recordingStamp } from '../../recordings/file-stamps.ts';
import { nameOfDiff } from '../../protocol/diff.ts';
import { type AnalysisProcess, type OpenControl, startAnalysis } from './analysis-process.ts';
import type { Answer, Asked, QuestionName } from './questions.ts';

/** The state of the server, which all handlers share. */
export class Session {
  readonly recordings: Recordings;
  readonly diffs: Diffs;
  readonly documents: TextDocuments<TextDocument>;
  readonly code = new CodeTexts();
  roots: readonly string[] = [];
  /** What the editor has declared that it understands. */
  client: ClientCapabilities = {};
  /** Whether the editor has the commands of the extension, so links may name them. */
  hasCommands = false;
  /** Visible columns of a line; null where long lines wrap. */
  columns: number | null = usualColumns;
  display: DisplayOptions = { metric: 'worst', codeLens: true, loading: false, diagnosticsUs: null };

  change(now: Partial<Pick<Session, 'roots' | 'columns' | 'display' | 'client' | 'hasCommands'>>): void {
    Object.assign(this, now);
  }

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(workerFile: string, documents: TextDocuments<TextDocument>) {
    this.recordings = new Recordings(workerFile);
    this.diffs = new Diffs(workerFile);
    this.documents = documents;
  }
}

/** The last tokenized texts, current and recorded, as marks, lenses and hovers ask for the same ones. */
class CodeTexts {
  /** By path for current texts, else by text. Least recently used first. */
  readonly #known = new Map<string, { readonly path: string; readonly text: string; readonly code: CodeText }>();

  recorded(path: string, text: string): CodeText {
    return this.#read(text, path, text);
  }

  now(path: string, text: string): CodeText {
    return this.#read(`now:${path}`, path, text);
  }

  #read(key: string, path: string, text: string): CodeText {
    const known = this.#known.get(key);
    const code = known?.text === text && known.path === path ? known.code : codeText(text, path);
    this.#known.delete(key);
    this.#known.set(key, { path, text, code });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return code;
  }
}

const MAX_KEPT = 40;

/** The open diffs, each in a thread of its own. */
export class Diffs {
  readonly #workerFile: string;
  /** By name, least recently used first. */
  readonly #open = new Map<string, OpenDiff>();

  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  /** Reads both sides, unless they were read so before. */
  async open(
    { base, head, options }: OpenDiffParams,
    roots: readonly string[],
    control: OpenControl,
  ): Promise<OpenDiffAnswer> {
    const name = nameOfDiff({ base, head });
    const written = await Promise.all([...base, ...head].flat().map(recordingStamp));
    const how = JSON.stringify({ roots, options });
    const known = this.#open.get(name);
    // What was read of recordings that are gone stays.
    const isSame = known?.how === how && written.every((stamp, at) => stamp === '' || stamp === known.written[at]);
    if (isSame && !known.process.hasEnded()) return { type: 'opened', summary: known.summary };
    const process = startAnalysis(this.#workerFile);
    control.onCancel(() => {
      if (this.#open.get(name)?.process !== process) process.dispose(); // Else the cancel comes too late.
    });
    try {
      const answer = await process.openDiff({ base, head, roots, options }, control.onProgress);
      if (answer.type === 'failed') {
        process.dispose();
        return answer;
      }
      const summary = { ...answer.summary, written: written.join('\n') };
      this.#keep(name, { summary, process, how, written });
      return { type: 'opened', summary };
    } catch (error) {
      process.dispose();
      return { type: 'failed', message: messageOf(error) };
    }
  }

  async ask<Name extends QuestionName>(
    diff: string,
    name: Name,
    asked: Asked<Name>,
    token?: CancellationToken,
  ): Promise<Answer<Name>> {
    const found = this.#open.get(diff);
    if (found === undefined) throw new Error('This diff is no longer open: close the flamegraph and open it again.');
    this.#open.delete(diff);
    this.#open.set(diff, found);
    return found.process.ask(name, asked, token);
  }

  clear(): void {
    for (const { process } of this.#open.values()) process.dispose();
    this.#open.clear();
  }

  #keep(name: string, opened: OpenDiff): void {
    this.#open.get(name)?.process.dispose();
    this.#open.set(name, opened);
    for (const [old, { process }] of [...this.#open].slice(0, Math.max(0, this.#open.size - MAX_OPEN))) {
      process.dispose();
      this.#open.delete(old);
    }
  }
}

interface OpenDiff {
  readonly summary: DiffSummary;
  readonly process: AnalysisProcess;
  /** The options and the open folders with which it was read. */
  readonly how: string;
  /** The stamp of each recording when it was read. */
  readonly written: readonly string[];
}

/** The diff on screen, and the one before. */
const MAX_OPEN = 2;
