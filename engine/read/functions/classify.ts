import { filePathOf, isRecorder } from '../files/file-path.ts';
import type { FunctionInfo, FunctionKind } from './function-table.ts';
import { type Workspace, isTestPath, pathInWorkspace } from './find-workspace.ts';

/** Whose code a function is, by its file. */
export type FileClass = Pick<FunctionInfo, 'path' | 'kind' | 'packageName' | 'own' | 'role' | 'loader'>;

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
  const inside = pathInWorkspace(place, workspace);
  const isDependency = `/${inside ?? place}`.includes(packagesFolder);
  if (isDependency) return dependency(place, path);
  if (path === null && url.includes(packagesFolder)) return dependency(url, path);
  if (isYarn.test(inside ?? '')) return { ...other('other'), path, loader: true };
  if (bundlersOwn.test(url)) return { ...other('other'), path, loader: bundlersLoader.test(url) };
  if (inside === null || isRecorder(place)) return { ...other('other'), path };
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

const runnerPackages =
  /^(mocha|jest|jest-.+|@jest\/.+|vitest|@vitest\/.+|vite-node|tinypool|ava|tap|@tapjs\/.+|jasmine|jasmine-.+|uvu|c8|nyc)$/;

const loaderPackages =
  /^(jest-runtime|@jest\/transform|babel-jest|ts-jest|@swc\/jest|vite-node|ts-node|tsx|@babel\/register|esbuild-register|pirates)$/;

/** Files that run modules in packages that also do other work, by their paths inside the package. */
const loaderFiles = [
  { packageName: 'vitest', file: /^dist\/.*(execute|module-?runner|module-?evaluator)/i },
  { packageName: 'vite', file: /^dist\/.*module-runner/ },
];

const loaderUrls = ['node:internal/modules/', 'node:internal/vm', 'node:internal/bootstrap/realm'];

export function isRunnerPackage(name: string): boolean {
  return runnerPackages.test(name);
}

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
export function isBundlersLoader(name: string): boolean {
  return /^(__require\d*|__commonJS(Min)?|__esm(Min)?|__init|__toESM|__webpack_require__(\.\w+)?|commonjsRequire)$/.test(
    name,
  );
}
