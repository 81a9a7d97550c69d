import { createHash } from 'node:crypto';
import { uriOf } from '../../engine/read/files/file-path.ts';
import { reachedCode, type CodeRoot } from '../../engine/read/source-code/reached-code.ts';
import type { FunctionReference } from '../../protocol/requests.ts';
import type { Line0 } from '../../protocol/units.ts';
import type { MeasuredCode } from '../../recordings/kept-rechecks.ts';
import { mapCode, placeFunction } from '../placement/code-map.ts';
import type { Session } from '../recordings/session.ts';
import { textNow, textOnDisk } from './current-text.ts';

/** Reads each file once. */
export type ReadText = (path: string) => Promise<string | null>;

/** The texts of the open documents, else of the files: what the person sees. */
export function textsOfEditor(session: Session): ReadText {
  return once(async (path) => textNow(session, uriOf(path)));
}

/** The texts of the files: what tests run. */
export function textsOnDisk(): ReadText {
  return once(textOnDisk);
}

function once(read: ReadText): ReadText {
  const texts = new Map<string, Promise<string | null>>();
  return async (path) => {
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return text;
  };
}

/** What a function and all that it can reach are in these texts, as far as names and the recording show it. */
export async function codeNow(session: Session, reference: FunctionReference, textOf: ReadText): Promise<MeasuredCode> {
  const { recording, functionId } = reference;
  const { path, below } = await session.recordings.ask(recording, 'codeBelow', functionId);
  const roots = below.map((one): CodeRoot => ({ ...one, range: null }));
  const own = path === null ? [] : [await rootOf(session, { ...reference, path }, textOf)];
  const reached = await reachedCode([...own, ...roots], textOf);
  const hash = createHash('sha256');
  for (const [file, parts] of [...reached].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { tokens, starts } = session.code.now(file, (await textOf(file)) ?? '');
    hash.update(`${file}\0`);
    let token = 0;
    for (const { start, end, loads } of parts) {
      while (token < starts.length && (starts[token] ?? 0) < start) token++;
      for (; token < starts.length && (starts[token] ?? 0) < end; token++) hash.update(`${tokens[token] ?? ''}\0`);
      hash.update(`${loads.join('\0')}\0\0`);
    }
  }
  return { code: hash.digest('base64url'), files: [...reached.keys()] };
}

/** The part of the file with the function; all of the file where the function cannot be found. */
async function rootOf(
  session: Session,
  { recording, functionId, path }: FunctionReference & { readonly path: string },
  textOf: ReadText,
): Promise<CodeRoot> {
  const whole = { path, names: ['*'], range: null };
  const [measured, text] = [await session.recordings.file(recording, path), await textOf(path)];
  const fn = [...(measured?.functions ?? []), ...(measured?.quiet ?? [])].find((one) => one.functionId === functionId);
  if (measured === null || text === null || fn === undefined) return whole;
  const { code } = session;
  const place = placeFunction(mapCode(code.recorded(path, measured.text), code.now(path, text)), fn.extent);
  return place === null ? whole : { path, names: [], range: rangeOf(text, place.line) };
}

/** A line, in UTF-16 units. */
function rangeOf(text: string, line: Line0): readonly [start: number, end: number] {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/, line + 1);
  const end = lines.reduce((sum, { length }) => sum + length, 0);
  return [end - (lines.at(-1)?.length ?? 0), end];
}
