import { access, readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createHash } from 'node:crypto';
import type { AnalyzeResult } from '../engine/analyze.ts';
import { filePathOf, olderTextOf } from '../engine/read/files/file-path.ts';
import type { TextLine } from '../protocol/recording-lines.ts';
import {
  keptTextLength,
  keptTextSuffix,
  lengthOfKept,
  readTextsFile,
  markedBeforeFile,
} from '../protocol/recording.ts';
import { writeWhole } from './private-files.ts';
import path from 'node:path';

type Analyzed = Extract<AnalyzeResult, { readonly type: 'analyzed' }>;

/** Texts of source files by their absolute path. */
export type Texts = ReadonlyMap<string, string>;

/**
 * The recorded source texts in which lines and functions are looked up later; today's texts where none were recorded.
 */
export async function ownTexts({ analysis, textOf }: Pick<Analyzed, 'analysis' | 'textOf'>): Promise<Texts> {
  const sampled = analysis.functions.functions.filter(({ own, url }) => own && olderTextOf(url) === null);
  const imports = analysis.packages.flatMap((one) => one.imports);
  // Lines of a bundle may be in files in which no function was seen.
  const lines = analysis.lines.filter(({ url, decorated }) => decorated && olderTextOf(url) === null);
  const others = [...imports, ...lines].map(({ url }) => ({ url, path: filePathOf(url) }));
  const texts = new Map<string, string>();
  for (const { url, path: file } of [...sampled, ...others]) {
    const text = file === null || texts.has(file) || !isSource.test(file) ? null : await textOf(url);
    if (file !== null && text !== null) texts.set(file, text);
  }
  return texts;
}

/**
 * Paths in a language that runs as JavaScript. A comment or a source map may name any file (`.env`), which must not get
 * into a recording.
 */
const isSource =
  /\.(?:[cm]?[jt]sx?|g[jt]s|vue|svelte|astro|mdx?|marko|riot|html?|ejs|pug|hbs|coffee|civet|imba|ls|elm|purs|resi?|rei?|mli?|clj[cs]?|kt|scala|fs|dart|rs|go|java|cs|c|cc|cpp|h)$/i;

/**
 * Keeps texts that no process has kept (originals of built code, files that only worker threads ran) when a recording
 * is read for the first time, right after the run. Where that fails (a full disk, a recording that is deleted), the
 * texts are read again each time.
 */
export async function keepTexts(recording: string, texts: Texts, kept: Analyzed['kept']): Promise<void> {
  const index = path.join(recording, readTextsFile);
  if (await isThere(index)) return;
  try {
    const names = (await readdir(recording)).filter((name) => name.endsWith(keptTextSuffix));
    let length = names.reduce((sum, name) => sum + lengthOfKept(name), 0);
    const lines: TextLine[] = [];
    for (const [file, text] of texts) {
      const fits = text.length <= keptTextLength.ofFile && length + text.length <= keptTextLength.ofAll;
      if (!fits || (await kept(file)) !== null) continue;
      const name = `${text.length.toString(36)}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
      await writeWhole(path.join(recording, `${name}${keptTextSuffix}`), await promisify(gzip)(text));
      length += text.length;
      lines.push({ url: file, text: name });
    }
    await writeWhole(index, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  } catch {
    // The recording is read-only, or gone.
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** A function as two runs know it. Its number differs between them, and many functions have no name but a label. */
export interface MarkedFunction {
  readonly path: string;
  readonly label: string;
}

/**
 * Functions that were marked in the run before a recording; they are kept in a file of the recording. Null where none
 * were kept, or they cannot be read.
 */
export async function readMarkedBefore(recording: string): Promise<readonly MarkedFunction[] | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(recording, markedBeforeFile), 'utf8'));
    return Array.isArray(value) ? value.filter(isMarkedFunction) : null;
  } catch {
    return null; // The recording was never opened, or is no folder.
  }
}

/**
 * Keeps the marked functions. Where that fails (a full disk, a recording that is deleted), a reload loses the marks
 * that remain only from the run before.
 */
export async function keepMarkedBefore(recording: string, marked: readonly MarkedFunction[]): Promise<void> {
  await writeWhole(path.join(recording, markedBeforeFile), JSON.stringify(marked)).catch(() => undefined);
}

function isMarkedFunction(value: unknown): value is MarkedFunction {
  if (typeof value !== 'object' || value === null) return false;
  const { path: file, label }: { readonly path?: unknown; readonly label?: unknown } = value;
  return typeof file === 'string' && typeof label === 'string';
}
