import { keptTextSuffix, readTextsFile } from '../../../protocol/recording.ts';
import { isRecord } from '../../../protocol/json-value.ts';
import type { IsolateSource } from '../recording-files/isolate-source.ts';
import { jsonLines } from '../../../protocol/formats/json-lines.ts';
import { filePathOf } from '../files/file-path.ts';
import type { PathMap } from '../files/path-map.ts';
import { type World, readText } from '../files/world.ts';

/** The names of the texts that ran. The texts themselves are read later, when they are asked for. */
export interface TextNames {
  /** Path of the file that holds each text, by the name of the text. */
  readonly files: ReadonlyMap<string, string>;
  /** The text that ran last, by the path of the source file; `all` has every text that ran. */
  readonly last: ReadonlyMap<string, string>;
  readonly all: ReadonlyMap<string, readonly string[]>;
  /** Names of the texts that each isolate ran, by url. */
  readonly ran: ReadonlyMap<IsolateSource, ReadonlyMap<string, string>>;
}

/** Reads the names. `folders` are the recordings of the isolates. */
export async function readNames(
  isolates: readonly IsolateSource[],
  folders: ReadonlySet<string>,
  world: World,
  { toHere }: PathMap,
): Promise<TextNames> {
  const files = new Map<string, string>();
  const last = new Map<string, string>();
  const all = new Map<string, Set<string>>();
  const note = async (file: string): Promise<ReadonlyMap<string, string>> => {
    const lines = await linesOf(file, world, toHere);
    for (const [url, text] of lines) {
      files.set(text, `${folderOf(file)}/${text}${keptTextSuffix}`);
      const path = filePathOf(url) ?? url;
      last.set(path, text);
      all.set(path, (all.get(path) ?? new Set()).add(text));
    }
    return lines;
  };
  for (const folder of folders) await note(`${folder}/${readTextsFile}`);
  const ran = new Map<IsolateSource, ReadonlyMap<string, string>>();
  for (const source of isolates.toSorted((a, b) => startOf(a) - startOf(b)))
    ran.set(source, source.textsFile === null ? new Map() : await note(source.textsFile));
  return { files, last, all: new Map([...all].map(([path, texts]) => [path, [...texts]])), ran };
}

/** Reads names of texts by url. Lines of another form are left out, because anybody may have written the file. */
async function linesOf(file: string, world: World, toHere: PathMap['toHere']): Promise<ReadonlyMap<string, string>> {
  const lines = jsonLines((await readText(file, world)) ?? '').filter(isRecord);
  return new Map(
    lines.flatMap(({ url, text }) =>
      typeof url === 'string' && typeof text === 'string' && isTextName.test(text)
        ? [[toHere(url), text] as const]
        : [],
    ),
  );
}

/** Matches only names of files in the recording's own folder, never a path that leads out of it. */
const isTextName = /^[0-9a-z]{1,8}-[0-9a-z]{1,16}$/;

export function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')));
}

/** Start of an isolate in ms, from its name; an isolate without such a name came first. */
function startOf({ textsFile }: IsolateSource): number {
  const start = /-([0-9a-z]+)\.texts\.jsonl$/.exec(textsFile ?? '')?.[1];
  return start === undefined ? 0 : Number.parseInt(start, 36);
}
