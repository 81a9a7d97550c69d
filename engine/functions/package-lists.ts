/** Packages that are known by what they do. There is one list of each kind. */

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

/** Whether a package is a test runner's: its frames are nobody's hotspot. */
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

/** Whether a url belongs to Node's own module loaders. */
export function isLoaderUrl(url: string): boolean {
  return loaderUrls.some((prefix) => url.startsWith(prefix));
}

/** Whether a function is one that bundlers write to load the modules of a bundle, by its name there. */
export function isBundlersLoader(name: string): boolean {
  return /^(__require\d*|__commonJS(Min)?|__esm(Min)?|__init|__toESM|__webpack_require__(\.\w+)?|commonjsRequire)$/.test(
    name,
  );
}
