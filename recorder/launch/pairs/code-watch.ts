import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Base } from './base.ts';
import { gitOnFiles, type Repository } from './git.ts';
import { isRecord, parseJson, textOf } from '../../../protocol/json-value.ts';
import { eventsFile, textsSuffix } from '../../../protocol/recording.ts';
import { parseEvents } from '../../../protocol/formats/parse-events.ts';
import { fileURLToPath } from 'node:url';

/**
 * Finds files of the user's work tree that change while both sides are run: a branch that is checked out, a file that is
 * saved. Only code and data that programs load count, also untracked ones. What the command itself writes does not count:
 * it is also written in the base.
 */
export class CodeWatch {
  readonly #repository: Repository;
  readonly #base: Pick<Base, 'root'>;
  readonly #before: ReadonlyMap<string, string>;
  /** Git's name of the content of each file that was unchanged against the index. */
  readonly #blobs: ReadonlyMap<string, string>;

  private constructor(
    repository: Repository,
    base: Pick<Base, 'root'>,
    before: ReadonlyMap<string, string>,
    blobs: ReadonlyMap<string, string>,
  ) {
    this.#repository = repository;
    this.#base = base;
    this.#before = before;
    this.#blobs = blobs;
  }

  static async open(repository: Repository, base: Pick<Base, 'root'>): Promise<CodeWatch> {
    const before = await stampsIn(repository);
    const staged = await linesOf(repository.root, ['ls-files', '--stage']);
    const dirty = new Set(await linesOf(repository.root, ['diff-files', '--name-only']));
    const blobs = staged.flatMap((line): readonly (readonly [string, string])[] => {
      const [, blob = '', file = ''] = /^\d+ (\S+) 0\t(.*)$/s.exec(line) ?? [];
      return file === '' || dirty.has(file) ? [] : [[file, blob]];
    });
    return new CodeWatch(repository, base, before, new Map(blobs));
  }

  /** A file below the root that has changed; null where there is none. */
  async changed(): Promise<string | null> {
    const now = await stampsIn(this.#repository);
    const files = [...new Set([...this.#before.keys(), ...now.keys()])];
    const touched = files.filter((file) => this.#before.get(file) !== now.get(file));
    if (touched.length === 0) return null;
    const written = new Set([
      ...(await linesOf(this.#base.root, ['diff-files', '--name-only'])),
      ...(await linesOf(this.#base.root, ['ls-files', '--others'])),
    ]);
    for (const file of touched) if (!written.has(file) && !(await this.#isSame(file))) return file;
    return null;
  }

  /** Whether a file that was written has the content that it had. */
  async #isSame(file: string): Promise<boolean> {
    const blob = this.#blobs.get(file);
    if (blob === undefined) return false;
    const { root } = this.#repository;
    const found = await gitOnFiles(root, ['hash-object', '--', file]);
    return found.type === 'done' && found.text === blob;
  }
}

/** A stamp of each file of code below the root, which changes when the file is written. */
async function stampsIn({ root }: Repository): Promise<ReadonlyMap<string, string>> {
  const files = await linesOf(root, ['ls-files', '--cached', '--others', '--exclude-standard']);
  const stamps = await Promise.all(
    [...new Set(files)].filter((file) => isLoaded.test(file)).map(async (file) => stampOf(root, file)),
  );
  return new Map(stamps.flat());
}

async function stampOf(root: string, file: string): Promise<readonly (readonly [string, string])[]> {
  const stats = await lstat(path.join(root, file)).catch(() => null);
  return stats === null ? [] : [[file, `${stats.size} ${stats.mtimeMs} ${stats.ino}`]];
}

/** What programs load: a note or a picture does not change a run. */
const isLoaded =
  /\.(?:[cm]?[jt]sx?|json5?|vue|svelte|astro|wasm|node|coffee|gql|graphql|html?|ejs|pug|hbs|sql|ya?ml)$/i;

async function linesOf(root: string, [command = '', ...args]: readonly string[]): Promise<readonly string[]> {
  const result = await gitOnFiles(root, [command, '-z', ...args]);
  return result.type === 'done' ? result.text.split('\0').filter((line) => line !== '') : [];
}

/** The programs and the sampled files outside of `node_modules` of a recorded run, as absolute paths. */
export async function filesOfRun(recording: string): Promise<readonly string[]> {
  const read = async (name: string): Promise<string> => readFile(path.join(recording, name), 'utf8').catch(() => '');
  const { events } = parseEvents(await read(eventsFile));
  const programs = events.flatMap((event) => (event.type === 'start' ? (event.argv[1] ?? []) : []));
  const names = (await readdir(recording).catch(() => [])).filter((name) => name.endsWith(textsSuffix));
  const texts = await Promise.all(names.map(read));
  const lines = texts.flatMap((text) => text.split('\n').map(parseJson));
  const urls = lines.flatMap((line) => (isRecord(line) ? textOf(line['url']) : []));
  return [...programs, ...urls.flatMap(fileIn)].filter((file) => path.isAbsolute(file));
}

function fileIn(url: string): readonly string[] {
  try {
    return url.startsWith('file:') ? [fileURLToPath(url)] : [];
  } catch {
    return []; // A file of another host.
  }
}
