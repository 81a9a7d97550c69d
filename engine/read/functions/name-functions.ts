import { fileNameOf } from '../../../protocol/machine-path.ts';
import { type Column0, type Line0, column0, line0, toLine1 } from '../../../protocol/units.ts';
import type { Origin } from '../sourcemap/ask-map.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import { type FileClass, classify, isBundlersLoader } from './classify.ts';
import type { UnnamedFrame } from '../samples/profile-tree.ts';
import type { FunctionInfo, FunctionTable } from './function-table.ts';
import type { Locate, LocatedFile } from './locate-file.ts';
import type { Workspace } from './find-workspace.ts';
import { groupBy } from '../../basics/lists.ts';
import { onceEach } from '../../basics/once.ts';
import { olderTextOf, plainUrl } from '../files/file-path.ts';

/** Finds the function of each frame, by its original place in the source map. `locate` finds files that urls omit. */
export async function nameFunctions(
  frames: readonly UnnamedFrame[],
  mapper: Pick<SourceMapper, 'functions'> | null,
  workspace: Workspace,
  locate: Locate = async () => null,
): Promise<FunctionTable> {
  const origins = mapper === null ? frames.map(() => asWritten) : await originsOf(frames, mapper);
  const places = frames.map((frame, number) => placeOf(frame, origins[number] ?? asWritten));
  const located = await locateAll([...frames, ...places], locate);
  // A file has many functions.
  const classOf = onceEach((url: string) =>
    onceEach((made: string | null) =>
      onceEach((isMapped: boolean) => classify(plainUrl(url), made, workspace, isMapped)),
    ),
  );
  const functions: FunctionInfo[] = [];
  const known = new Map<string, number>();
  const named = frames.map((frame, number) => {
    const place = withLocatedUrl(places[number] ?? placeOf(frame, asWritten), located);
    const key = `${place.byName}:${place.line < 0 && place.wraps === null ? frame.line : ''}:${place.line}:${place.column}:${place.name}\n${place.url}`;
    const functionId = known.get(key) ?? functions.length;
    if (functionId === functions.length) functions.push(describeFunction(functionId, frame, place, located, classOf));
    known.set(key, functionId);
    return { ...frame, functionId };
  });
  return { functions, frames: named };
}

const asWritten: Origin = { type: 'asWritten' };

type Located = ReadonlyMap<string, LocatedFile>;

async function locateAll(places: readonly { readonly url: string }[], locate: Locate): Promise<Located> {
  const located = new Map<string, LocatedFile>();
  for (const url of new Set(places.map((place) => place.url))) {
    const file = url === '' || url.startsWith('node:') ? null : await locate(url);
    if (file !== null) located.set(url, file);
  }
  return located;
}

function withLocatedUrl(place: Place, located: Located): Place {
  const file = located.get(place.url);
  return file?.isSame === true ? { ...place, url: file.path } : place;
}

/** Asks for all places of one script at once. */
async function originsOf(
  frames: readonly UnnamedFrame[],
  mapper: Pick<SourceMapper, 'functions'>,
): Promise<readonly Origin[]> {
  const origins: Origin[] = frames.map(() => asWritten);
  for (const [url, numbers] of groupBy(frames.keys(), (number) => frames[number]?.url ?? '')) {
    if (url === '' || url.startsWith('node:')) continue; // These have no map.
    const starts = numbers
      .flatMap((number) => frames[number] ?? [])
      .map(({ functionName, ...at }) => ({ ...at, name: functionName }));
    const found = await mapper.functions(url, starts);
    for (const [index, number] of numbers.entries()) origins[number] = found[index] ?? asWritten;
  }
  return origins;
}

interface Place {
  readonly name: string;
  readonly url: string;
  /** Line from 0; −1 where it is not known. */
  readonly line: Line0;
  readonly column: Column0;
  readonly isMapped: boolean;
  /** True for a compiler's helper, which is not own code. */
  readonly isHelper: boolean;
  readonly isGone: boolean;
  readonly byName: boolean;
  /** What a bundler made: the body of one module, or of all of them. Null for everything else. */
  readonly wraps: 'module' | 'bundle' | null;
}

function placeOf({ functionName, url, line, column }: UnnamedFrame, origin: Origin): Place {
  const written = {
    name: functionName,
    url,
    line,
    column,
    isMapped: false,
    isHelper: false,
    isGone: false,
    byName: false,
    wraps: null,
  } as const;
  const start = { name: '', line: line0(0), column: column0(0) };
  switch (origin.type) {
    case 'asWritten':
      return written;
    case 'helper':
      return { ...written, isHelper: true };
    case 'gone':
      return { ...written, isGone: true };
    case 'foundByName':
      return { ...written, line: origin.line, column: origin.column, byName: true };
    case 'lost':
      return { ...written, url: origin.url ?? plainUrl(url), line: line0(-1), isMapped: true, byName: true };
    case 'bundle':
      return { ...written, ...start, url: plainUrl(url), line: line0(-1), wraps: 'bundle' };
    case 'module':
      return { ...written, ...start, url: origin.url, isMapped: true, wraps: 'module' };
    case 'original':
      return { ...written, ...origin, isMapped: true };
  }
}

function describeFunction(
  id: number,
  frame: UnnamedFrame,
  place: Place,
  located: Located,
  classOf: (url: string) => (made: string | null) => (isMapped: boolean) => FileClass,
): FunctionInfo {
  const { url, line, column } = frame;
  const made = located.get(place.url) ?? located.get(url);
  const isMapped = place.isMapped || place.wraps === 'bundle';
  const file = classOf(place.url)(made?.path ?? (place.isMapped ? url : null))(isMapped);
  // The file itself ran, with an older text.
  const isOlder = olderTextOf(url) !== null && plainUrl(place.url) === plainUrl(url);
  const script = withLocatedUrl({ ...place, url: plainUrl(url) }, located).url;
  const moduleBody = isModuleBody(frame) || place.wraps !== null;
  return {
    id,
    name: place.name,
    label: labelOf(place, moduleBody),
    url: place.url,
    line: place.line,
    column: place.column,
    generated: (place.isMapped || place.byName) && !isOlder ? { url: script, line, column } : null,
    ...file,
    ...(place.isHelper ? ({ kind: 'other', own: false, role: null } as const) : {}),
    moduleBody,
    byName: place.byName,
    gone: place.isGone,
    loader:
      file.loader ||
      place.wraps === 'module' ||
      ((place.isHelper || file.role === 'built') && isBundlersLoader(frame.functionName)),
  };
}

/**
 * Whether the frame is a whole module: a script, or jest's wrapper of one. The wrapper of vite-node has a negative
 * column. Node's own modules do not count: one is below every entry module, which no other module loads.
 */
function isModuleBody({ functionName, url, line, column }: UnnamedFrame): boolean {
  if (url === '' || url.startsWith('node:') || line !== 0) return false;
  return functionName === 'Object.<anonymous>' || (functionName === '' && column <= 0);
}

/** Label of a function without a name: `cart.ts:12`, `(native)` without a file, `cart.ts (module)` for a module. */
function labelOf({ name, url: scriptUrl, line }: Place, moduleBody: boolean): string {
  const url = plainUrl(scriptUrl);
  if (name !== '' && !moduleBody) return name;
  if (url === '') return '(native)';
  const file = fileNameOf(url);
  if (moduleBody) return `${file} (module)`;
  return line < 0 ? `function in ${file}` : `${file}:${toLine1(line)}`;
}
