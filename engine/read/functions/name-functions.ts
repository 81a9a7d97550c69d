import { moduleLabel } from '../../../protocol/places.ts';
import { isRunnerPackage } from '../../../protocol/test-files.ts';
import { column0, line0, toLine1 } from '../../../protocol/units.ts';
import type { Origin } from '../sourcemap/ask-map.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import type { UnnamedFrame } from '../samples/profile-tree.ts';
import type { FunctionInfo, FunctionTable, FunctionKind } from './function-table.ts';
import type { Locate, LocatedFile } from './locate-file.ts';
import { type Workspace, isTestPath, pathInWorkspace } from './find-workspace.ts';
import { groupBy } from '../../basics/lists.ts';
import { onceEach } from '../../basics/once.ts';
import { fileNameIn, olderTextOf, plainUrl, filePathOf, isRecorder } from '../files/file-path.ts';

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

/** The line is −1 where it is not known. */
interface Place extends Pick<FunctionInfo, 'name' | 'url' | 'line' | 'column' | 'byName'> {
  readonly isMapped: boolean;
  /** True for a compiler's helper, which is not own code. */
  readonly isHelper: boolean;
  readonly isGone: boolean;
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
export function labelOf(
  { name, url: scriptUrl, line }: Pick<Place, 'name' | 'url' | 'line'>,
  moduleBody: boolean,
): string {
  const url = plainUrl(scriptUrl);
  if (name !== '' && !moduleBody) return name;
  if (url === '') return '(native)';
  const file = fileNameIn(url);
  if (moduleBody) return moduleLabel(file);
  return line < 0 ? `function in ${file}` : `${file}:${toLine1(line)}`;
}

/** Whose code a function is, by its file. */
type FileClass = Pick<FunctionInfo, 'path' | 'kind' | 'packageName' | 'own' | 'role' | 'loader'>;

/** Classifies by the url, or, where the original names no file (`webpack://app/./cart.ts`), by `generatedUrl`. */
export function classify(
  url: string,
  generatedUrl: string | null,
  workspace: Workspace,
  isMapped: boolean = generatedUrl !== null,
): FileClass {
  const path = filePathOf(url, workspace.roots);
  const place = path ?? (generatedUrl === null ? null : filePathOf(generatedUrl, workspace.roots));
  if (place === null) return withoutFile(url, workspace);
  if (isRecorder(place)) return { ...other('other'), path };
  const inside = pathInWorkspace(place, workspace);
  const isDependency = `/${inside ?? place}`.includes(packagesFolder);
  if (isDependency) return dependency(place, path);
  if (path === null && url.includes(packagesFolder)) return dependency(url, path);
  if (isYarn.test(inside ?? '')) return { ...other('other'), path, loader: true };
  if (bundlersOwn.test(url)) return { ...other('other'), path, loader: bundlersLoader.test(url) };
  if (inside === null) return { ...other('other'), path };
  const role = isTestPath(inside, workspace) ? 'test' : !isMapped && isBuilt.test(inside) ? 'built' : 'app';
  return { path, kind: 'own', packageName: null, own: true, role, loader: false };
}

/** Folders for files that tools made. */
const isBuilt = /(^|\/)(dist|out|\.(next|nuxt|output|svelte-kit|astro|vercel|netlify|angular))\//;

const isYarn = /^\.pnp\.|^\.yarn\//;

/** Files of bundlers: runtimes of webpack and Turbopack, helpers of Rollup, Rolldown, Bun, Vite's virtual modules. */
const bundlersOwn =
  /^webpack(?:-internal)?:\/\/[^/]*\/(?:\(?webpack\)?[/ ]|external )|\[(?:turbopack|externals)\]\/|\0|\/_virtual\/|(?:^|\/)(?:rolldown\/runtime\.js$|bun:)/;

const bundlersLoader = /\/\(?webpack\)?\/(?:bootstrap|runtime)|\[turbopack\]\//;

function withoutFile(url: string, workspace: Workspace): FileClass {
  if (url === '') return other('native');
  if (url.startsWith('node:')) return { ...other('node'), loader: isLoaderUrl(url) };
  const isOwn = workspace.evaluated && /^\[(eval|stdin)/.test(url);
  return isOwn ? { path: null, kind: 'own', packageName: null, own: true, role: 'app', loader: false } : other('other');
}

function other(kind: FunctionKind): FileClass {
  return { path: null, kind, packageName: null, own: false, role: null, loader: false };
}

const packagesFolder = '/node_modules/';

/** A file below a `node_modules` folder. Its package is what follows the last of them. */
function dependency(place: string, path: string | null): FileClass {
  const inside = place.slice(place.lastIndexOf(packagesFolder) + packagesFolder.length);
  const [first = '', second = '', ...rest] = inside.split('/');
  const isScoped = first.startsWith('@');
  const packageName = isScoped ? `${first}/${second}` : first;
  const file = isScoped ? rest.join('/') : [second, ...rest].join('/');
  const kind = isRunnerPackage(packageName) ? 'runner' : 'dependency';
  return { path, kind, packageName, own: false, role: null, loader: isLoaderFile(packageName, file) };
}

// Packages with a known purpose. There is one list for each purpose.

const loaderPackages =
  /^(jest-runtime|@jest\/transform|babel-jest|ts-jest|@swc\/jest|vite-node|ts-node|tsx|@babel\/register|esbuild-register|pirates)$/;

/** Files that run modules in packages that also do other work, by their paths inside the package. */
const loaderFiles = [
  { packageName: 'vitest', file: /^dist\/.*(execute|module-?runner|module-?evaluator)/i },
  { packageName: 'vite', file: /^dist\/.*module-runner/ },
];

const loaderUrls = ['node:internal/modules/', 'node:internal/vm', 'node:internal/bootstrap/realm'];

/** Whether a file of a package finds, reads, transforms or evaluates modules. `file` is its path inside the package. */
export function isLoaderFile(packageName: string, file: string): boolean {
  return (
    loaderPackages.test(packageName) ||
    loaderFiles.some((loader) => loader.packageName === packageName && loader.file.test(file))
  );
}

export function isLoaderUrl(url: string): boolean {
  return loaderUrls.some((prefix) => url.startsWith(prefix));
}

/** Whether a function is one that bundlers write to load the modules of a bundle, by its name there. */
function isBundlersLoader(name: string): boolean {
  return /^(__require\d*|__commonJS(Min)?|__esm(Min)?|__init|__toESM|__webpack_require__(\.\w+)?|commonjsRequire)$/.test(
    name,
  );
}
