import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createHash } from 'node:crypto';
import type { AnalyzeResult } from '../engine/analyze.ts';
import { filePathOf } from '../engine/files/file-path.ts';
import { olderTextOf } from '../engine/files/text-version.ts';
import { keptTextLength, keptTextSuffix, lengthOfKept, oldTextsFile, readTextsFile } from '../protocol/recording.ts';
import { writeWhole } from './private-files.ts';
import type { TextLine } from '../protocol/recording-lines.ts';

type Analyzed = Extract<AnalyzeResult, { readonly type: 'analyzed' }>;

/** Texts of source files by their absolute path. */
export type Texts = ReadonlyMap<string, string>;

/** The recorded texts by which lines and functions are found again; today's texts where none were kept. */
export async function ownTexts({ analysis, textOf }: Pick<Analyzed, 'analysis' | 'textOf'>): Promise<Texts> {
  const sampled = analysis.functions.functions.filter(({ own, url }) => own && olderTextOf(url) === null);
  const imports = analysis.packages.flatMap((one) => one.imports);
  // Lines of a bundle's body are in files in which no function was seen.
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
 * Keeps texts that no process has kept (originals of built code, what ran in worker threads alone), when a recording is
 * read for the first time, right after the run. Where that fails (a full disk, a recording that is deleted), they are
 * read again each time.
 */
export async function keepTexts(recording: string, texts: Texts, kept: Analyzed['kept']): Promise<void> {
  const index = path.join(recording, readTextsFile);
  if ((await isThere(index)) || (await isThere(path.join(recording, oldTextsFile)))) return;
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
