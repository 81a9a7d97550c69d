import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Analyzed } from '../engine/analyze.ts';
import { filePathOf, olderTextOf } from '../engine/read/files/file-path.ts';
import { isList, isRecord, parseJson } from '../protocol/json-value.ts';
import type { OutdatedLine, TextLine } from '../protocol/recording-lines.ts';
import {
  keptTextLength,
  keptTextSuffix,
  lengthOfKept,
  readTextsFile,
  markedBeforeFile,
} from '../protocol/recording.ts';
import { writeWhole } from './private-files.ts';

/** Texts of source files by their absolute path. */
export type Texts = ReadonlyMap<string, string>;

/** The texts that lines and functions refer to, as they ran; those of the disk where the recording has none. */
export async function ownTexts({ analysis, textOf }: Pick<Analyzed, 'analysis' | 'textOf'>): Promise<Texts> {
  const sampled = analysis.functions.functions.filter(({ own }) => own);
  const imports = analysis.packages.flatMap((one) => one.imports);
  const lines = analysis.lines.filter(({ decorated }) => decorated); // Those of a bundle may be in unsampled files.
  const others = [...imports, ...lines].map(({ url }) => ({ url, path: filePathOf(url, analysis.roots) }));
  const texts = new Map<string, string>();
  for (const { url, path: whole } of [...sampled, ...others]) {
    const file = olderTextOf(url) === null ? whole : null;
    const text = file === null || texts.has(file) || !isSource.test(file) ? null : await textOf(url);
    if (file !== null && text !== null) texts.set(file, text);
  }
  return texts;
}

/** Languages that run as JavaScript. A comment or a source map may name any file (`.env`), which must not be kept. */
const isSource =
  /\.(?:[cm]?[jt]sx?|g[jt]s|vue|svelte|astro|mdx?|marko|riot|html?|ejs|pug|hbs|coffee|civet|imba|ls|elm|purs|resi?|rei?|mli?|clj[cs]?|kt|scala|fs|dart|rs|go|java|cs|c|cc|cpp|h)$/i;

/**
 * Keeps texts that no process has kept (originals of built code, files that only worker threads ran), and which of them
 * are not what was built, right after the run. Where that fails (a full disk, a deleted recording), each later reader
 * reads the texts of that time.
 */
export async function keepTexts(recording: string, texts: Texts, { analysis, kept }: ReadRecording): Promise<void> {
  const index = path.join(recording, readTextsFile);
  if (existsSync(index)) return;
  try {
    const names = (await readdir(recording)).filter((name) => name.endsWith(keptTextSuffix));
    let length = names.reduce((sum, name) => sum + lengthOfKept(name), 0);
    const lines: (TextLine | OutdatedLine)[] = analysis.changed.outdated.map(({ source: url, script }) => ({
      url,
      script,
    }));
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
    // The recording is read-only or deleted.
  }
}

interface ReadRecording extends Pick<Analyzed, 'kept'> {
  readonly analysis: { readonly changed: Pick<Analyzed['analysis']['changed'], 'outdated'> };
}

/** A function as two runs identify it: ids differ between runs, and many functions have a label, but no name. */
export interface MarkedFunction {
  readonly path: string;
  readonly label: string;
}

/** The functions marked in the run before this recording, as the recording has kept them; null where it has not. */
export async function readMarkedBefore(recording: string): Promise<readonly MarkedFunction[] | null> {
  const value = parseJson(await readFile(path.join(recording, markedBeforeFile), 'utf8').catch(() => ''));
  return isList(value) ? value.filter(isMarkedFunction) : null;
}

/** Where it fails (a full disk, a deleted recording), a reload loses the marks that only the run before has. */
export async function keepMarkedBefore(recording: string, marked: readonly MarkedFunction[]): Promise<void> {
  await writeWhole(path.join(recording, markedBeforeFile), JSON.stringify(marked)).catch(() => undefined);
}

function isMarkedFunction(value: unknown): value is MarkedFunction {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['label'] === 'string';
}
