import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { projectFile } from './project.ts';

const texts = v.record(v.string(), v.string());

const archiveSchema = v.object({
  files: texts,
  runs: v.record(v.string(), v.object({ changes: texts, recording: texts })),
});

/**
 * All recordings of a project in one file, so that what they have in common is packed once. Each file is a string of
 * its bytes (Latin-1), unpacked where its name ends with `.gz`. Absolute paths begin with one of `placeholders`.
 */
export type FixtureArchive = v.InferOutput<typeof archiveSchema>;

/** What stands for the project's folder, for this repository and for the Node that ran, in an archive. */
export const placeholders = {
  project: '/fixture-project',
  hotspan: '/fixture-hotspan',
  node: '/fixture-node',
} as const;

const archiveFile = (name: string): string => projectFile('test/fixtures/recordings', `${name}.json.br`);

export function readArchive(name: string): FixtureArchive {
  return v.parse(archiveSchema, JSON.parse(brotliDecompressSync(readFileSync(archiveFile(name))).toString()));
}

export function writeArchive(name: string, archive: FixtureArchive): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 };
  mkdirSync(path.dirname(archiveFile(name)), { recursive: true });
  writeFileSync(archiveFile(name), brotliCompressSync(JSON.stringify(archive), { params }));
}

/** Text of each file below a folder, as an archive has it. */
export function contentOf(
  folder: string,
  isWanted: (file: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((file) => isWanted(file) && statSync(path.join(folder, file)).isFile());
  return Object.fromEntries(files.map((file) => [file, bytesOf(path.join(folder, file))]));
}

function bytesOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
}

/** A text as an archive has it. */
export const packed = (text: string): string => Buffer.from(text).toString('latin1');

/** Writes files of an archive below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    const bytes = Buffer.from(text, 'latin1');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, file.endsWith('.gz') ? gzipSync(bytes, { level: 1 }) : bytes);
  }
}

/** Rewrites a text, and what `data:` urls in it hold as base64: compilers put a source map's absolute paths there. */
export function rewritten(text: string, rewrite: (part: string) => string): string {
  const outside = rewrite(text);
  return outside.replaceAll(/(?<=;base64,)[\w+/=]+/g, (data) => {
    const inside = Buffer.from(data, 'base64').toString('latin1');
    const changed = rewrite(inside);
    return changed === inside ? data : Buffer.from(changed, 'latin1').toString('base64');
  });
}
