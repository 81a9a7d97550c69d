import { keptTextLength, keptTextSuffix, readTextsFile } from '../../../protocol/recording.ts';
import { isRecord, jsonLines } from '../../../protocol/json-value.ts';
import { onceEach } from '../../basics/once.ts';
import type { ProfileFrame } from '../samples/cpu-profile.ts';
import type { IsolateSource, Sources } from '../recording-files/isolate-source.ts';
import { fileKey, filePathOf, olderTextOf, olderUrl, noPathMap, type PathMap } from '../files/file-path.ts';
import { type World, readText, MAX_NAMED_BYTES } from '../files/world.ts';
import { groupBy } from '../../basics/lists.ts';
import { unpackText } from '../files/opened-file.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import type { ChangedFile, TodaysTexts } from './todays-texts.ts';
import { isSameText } from '../sourcemap/script-maps.ts';
import { folderOf } from '../../../protocol/machine-path.ts';

/** Matches only names of files in the recording's own folder, never a path that leads out of it. */
const isTextName = /^[0-9a-z]{1,8}-[0-9a-z]{1,16}$/;

/** The texts of own files that a recording has kept. They are the texts that were compiled, not today's. */
export interface KeptTexts {
  /** The text of the file at this path that ran last; null where none was kept, or it cannot be read. */
  readonly textOf: (path: string) => Promise<string | null>;
  /** Scripts that ran as an older text, by url: the url for that text, guessed where the isolate did not say it. */
  readonly olderUrls: (source: IsolateSource, frames: readonly ProfileFrame[]) => Promise<Urls>;
  readonly hasOlder: boolean;
  /** Sources that an earlier reader of the recording noted as changed since the build that ran. */
  readonly outdated: readonly OutdatedBuild[];
  /** Whether a reader has noted them, right after the run. */
  readonly isRead: boolean;
  /** False where all input is plain profiles. */
  readonly isOfRecording: boolean;
  /** The texts that ran together with an older text; null where no isolate ran it. */
  readonly beside: (text: string) => OlderTexts | null;
}

/** A source that had changed, before it was recorded, since the script that ran was built from it. Absolute paths. */
export interface OutdatedBuild {
  readonly source: string;
  readonly script: string;
}

interface OlderTexts {
  readonly source: IsolateSource;
  /** The text of the file at this path that ran last in that isolate; null where none was kept, or it is unreadable. */
  readonly textOf: (path: string) => Promise<string | null>;
}

/** Reads the names of kept texts. The texts themselves are read when they are asked for. */
export async function readKeptTexts(
  { isolates }: Pick<Sources, 'isolates'>,
  world: World,
  paths: PathMap = noPathMap,
): Promise<KeptTexts> {
  const recorded = isolates.filter(({ isRecorded }) => isRecorded);
  const folders = new Set(recorded.map(({ profiles: [first = ''] }) => folderOf(first)));
  const names = await readNames(recorded, folders, world, paths);
  const { files, last, all, ran } = names;
  const { older, saidBy } = olderOf(ran, last);
  const hasOlder = [...all.values()].some(({ length }) => length > 1);
  const named = unpacker(files, world);
  const textOf = async (path: string): Promise<string | null> => {
    const text =
      last.get(fileKey(path)) ??
      (last.size === 0 ? undefined : last.get(fileKey((await world.realPath?.(path)) ?? path)));
    return text === undefined ? null : named(text);
  };
  const firsts = firstIsolates(older);
  const notes = await Promise.all([...folders].map(async (folder) => readOutdated(folder, world, paths)));
  return {
    textOf,
    olderUrls: async (source, frames) => {
      if (!hasOlder) return nothing; // This saves a look at all frames.
      return new Map([...(older.get(source) ?? nothing), ...(await guessedUrls(saidBy(source), frames, names, named))]);
    },
    isOfRecording: recorded.length > 0,
    hasOlder,
    outdated: notes.flatMap((found) => found ?? []),
    isRead: !notes.includes(null),
    beside: (text) => {
      const first = firsts.get(text);
      return first === undefined ? null : besideOf(first, textOf, named);
    },
  };
}

type Urls = ReadonlyMap<string, string>;

function besideOf(
  [source, urls]: readonly [IsolateSource, Urls],
  textOf: KeptTexts['textOf'],
  named: KeptTexts['textOf'],
): OlderTexts {
  const own = new Map([...urls].map(([url, marked]) => [fileKey(url), olderTextOf(marked) ?? '']));
  return {
    source,
    textOf: async (path) => {
      const here = own.get(fileKey(path));
      return here === undefined ? textOf(path) : named(here);
    },
  };
}

/** The number of bytes at which unpacking a recording's texts stops: eight times what the recorder keeps. */
const MAX_UNPACKED = 8 * keptTextLength.ofAll;

/** The first isolate that ran each older text. Thousands of threads may share their urls. */
function firstIsolates(older: TextNames['ran']): ReadonlyMap<string, readonly [IsolateSource, Urls]> {
  const found = new Map<string, readonly [IsolateSource, Urls]>();
  const seen = new Set<Urls>();
  for (const [source, urls] of older) {
    for (const url of seen.has(urls) ? [] : urls.values()) {
      const text = olderTextOf(url) ?? '';
      if (!found.has(text)) found.set(text, [source, urls]);
    }
    seen.add(urls);
  }
  return found;
}

const nothing: Urls = new Map();

type SaidBy = (source: IsolateSource) => Urls;

/** The texts that each isolate says it ran, by url. A worker thread does not say it, and has those of its process. */
function sayings(ran: TextNames['ran']): SaidBy {
  const mains = new Map(
    [...ran].flatMap(([{ pid, threadId }, said]) => (threadId === 0 ? [[pid, said] as const] : [])),
  );
  return (source) => {
    const own = ran.get(source) ?? nothing;
    if (own.size > 0 || source.pid === null || source.threadId === 0) return own;
    return mains.get(source.pid) ?? nothing;
  };
}

/** Guesses the texts of scripts that had several, where the isolate does not say which one it ran. */
async function guessedUrls(
  said: Urls,
  frames: readonly ProfileFrame[],
  { all, last }: TextNames,
  named: (text: string) => Promise<string | null>,
): Promise<Urls> {
  const guessed = new Map<string, string>();
  for (const [url, inScript] of groupBy(frames, (frame) => frame.url)) {
    const path = fileKey(url);
    const candidates = all.get(path) ?? [];
    if (candidates.length < 2 || said.has(url)) continue;
    const text = await bestOf(candidates.slice(-MAX_GUESSED).toReversed(), inScript, named);
    if (text !== null && text !== last.get(path)) guessed.set(url, olderUrl(url, text));
  }
  return guessed;
}

/** Limits the texts of one file that are compared. */
const MAX_GUESSED = 200;

/** The text in which most functions begin where V8 says, which is just behind their names; the first of several. */
async function bestOf(
  names: readonly string[],
  frames: readonly ProfileFrame[],
  named: (text: string) => Promise<string | null>,
): Promise<string | null> {
  const counts: { readonly name: string; readonly count: number }[] = [];
  for (const name of names) {
    const lines = (await named(name))?.split('\n') ?? [];
    const found = frames.filter(({ functionName, line, column }) => {
      const own = functionName.split(/[ .]/).at(-1) ?? '';
      return own !== '' && (lines[line]?.slice(0, column).endsWith(own) ?? false);
    });
    counts.push({ name, count: found.length });
  }
  return counts.toSorted((a, b) => b.count - a.count)[0]?.name ?? null;
}

function olderOf(
  ran: TextNames['ran'],
  last: ReadonlyMap<string, string>,
): { readonly older: TextNames['ran']; readonly saidBy: SaidBy } {
  const saidBy = sayings(ran);
  // Thousands of threads may share what their process said, so the answer for it is made once.
  const olderIn = onceEach((all: Urls): Urls => {
    const said = [...all].filter(([url, text]) => last.get(fileKey(url)) !== text);
    return new Map(said.map(([url, text]) => [url, olderUrl(url, text)]));
  });
  const older = [...ran.keys()].map((source) => [source, olderIn(saidBy(source))] as const);
  return { older: new Map(older), saidBy };
}

/** Unpacks texts by their names. Each is unpacked once, and none any more when all of them together are too long. */
function unpacker(files: ReadonlyMap<string, string>, world: World): (text: string) => Promise<string | null> {
  let left = MAX_UNPACKED;
  return onceEach(async (name: string) => {
    const bytes = await world.readFile(files.get(name) ?? '');
    const text = bytes === undefined ? null : unpackText(bytes, Math.min(4 * keptTextLength.ofFile, left));
    left -= text?.length ?? 0;
    return text;
  });
}

/** The names of the texts that ran. The texts themselves are read later, when they are asked for. */
interface TextNames {
  /** Path of the file that holds each text, by the name of the text. */
  readonly files: ReadonlyMap<string, string>;
  /** The text that ran last, by the path of the source file; `all` has every text that ran. */
  readonly last: ReadonlyMap<string, string>;
  readonly all: ReadonlyMap<string, readonly string[]>;
  /** Names of the texts that each isolate ran, by url. */
  readonly ran: ReadonlyMap<IsolateSource, Urls>;
}

/** Reads the names. `folders` are the recordings of the isolates. */
async function readNames(
  isolates: readonly IsolateSource[],
  folders: ReadonlySet<string>,
  world: World,
  { toHere }: PathMap,
): Promise<TextNames> {
  const files = new Map<string, string>();
  const last = new Map<string, string>();
  const all = new Map<string, Set<string>>();
  const note = async (file: string): Promise<Urls> => {
    const lines = await linesOf(file, world, toHere);
    for (const [url, text] of lines) {
      files.set(text, `${folderOf(file)}/${text}${keptTextSuffix}`);
      const path = fileKey(url);
      last.set(path, text);
      all.set(path, (all.get(path) ?? new Set()).add(text));
    }
    return lines;
  };
  for (const folder of folders) await note(`${folder}/${readTextsFile}`);
  const ran = new Map<IsolateSource, Urls>();
  for (const source of isolates.toSorted((a, b) => startOf(a.textsFile ?? '') - startOf(b.textsFile ?? '')))
    ran.set(source, source.textsFile === null ? new Map() : await note(source.textsFile));
  return { files, last, all: new Map([...all].map(([path, texts]) => [path, [...texts]])), ran };
}

/** Reads names of texts by url. The file is untrusted: other lines are left out. */
async function linesOf(file: string, world: World, toHere: PathMap['toHere']): Promise<Urls> {
  const lines = jsonLines((await readText(file, world)) ?? '').filter(isRecord);
  return new Map(
    lines.flatMap(({ url, text }) =>
      typeof url === 'string' && typeof text === 'string' && isTextName.test(text)
        ? [[toHere(url), text] as const]
        : [],
    ),
  );
}

/** What the first reader of a recording has noted; null where none has read it. */
async function readOutdated(
  folder: string,
  world: World,
  { toHere }: PathMap,
): Promise<readonly OutdatedBuild[] | null> {
  const text = await readText(`${folder}/${readTextsFile}`, world);
  if (text === null) return null;
  return jsonLines(text)
    .filter(isRecord)
    .flatMap(({ url, script }) =>
      typeof url === 'string' && typeof script === 'string' ? [{ source: toHere(url), script: toHere(script) }] : [],
    );
}

/** Start in ms of the isolate of a file, from its name; an isolate without such a name came first. */
export function startOf(file: string): number {
  const start = /-([0-9a-z]+)\.(?:texts|maps)\.jsonl$/.exec(file)?.[1];
  return start === undefined ? 0 : Number.parseInt(start, 36);
}

/** The own code that has changed since it ran. */
export interface ChangedSince {
  /** Absolute paths of files that have another text than a recording has kept. */
  readonly paths: ReadonlySet<string>;
  /** Files that have, or may have, another text than ran in a plain profile, by path. */
  readonly profiled: readonly ChangedFile[];
  /** Of all own code that ran, by path of the source. */
  readonly outdated: readonly OutdatedBuild[];
  /** Functions whose text is no longer in their file. Other functions there may be on other lines. */
  readonly functionIds: ReadonlySet<number>;
}

/** Finds what has changed. A file that is not on this machine counts as unchanged. */
export async function changedSince(
  functions: readonly FunctionInfo[],
  mapper: Pick<SourceMapper, 'textOf' | 'builtFrom'>,
  texts: Pick<KeptTexts, 'textOf' | 'isOfRecording'>,
  todays: Pick<TodaysTexts, 'changedFiles'>,
  outdated: readonly OutdatedBuild[],
  world: World,
): Promise<ChangedSince> {
  const paths = new Set<string>();
  const functionIds = new Set(functions.filter(({ url }) => olderTextOf(url) !== null).map(({ id }) => id));
  const own = functions.filter((fn) => texts.isOfRecording && fn.own && !functionIds.has(fn.id));
  for (const [path, inFile] of groupBy(own, (fn) => fn.path)) {
    const url = inFile[0]?.url;
    if (path === null || url === undefined) continue;
    const kept = await texts.textOf(path);
    // What nothing has kept is read from the file itself.
    if (kept === null && filePathOf(url) === path && (await mapper.builtFrom(url)) === null) continue;
    const before = await mapper.textOf(url);
    const now = await readText(path, world, MAX_NAMED_BYTES.text);
    if (before === null || now === null || isSameText(before, now)) continue;
    if (kept !== null && isSameText(kept, now)) continue; // A compiler has changed the text in its map.
    paths.add(path);
    const { placeInText } = await import('./place-in-text.ts'); // It is loaded on demand: it brings the parser.
    const places = placeInText(before, now, url);
    for (const fn of inFile) if (!fn.moduleBody && places.function(fn) === null) functionIds.add(fn.id);
  }
  return { paths, functionIds, outdated, profiled: await todays.changedFiles() };
}
