import type { CodeLine } from './code-line.ts';

/** Functions of one module, of Node or of a package. All are parts of regular expressions. */
interface Called {
  /** The names of the modules in imports. */
  readonly module: string;
  /** What the module is called where its functions are called as its members. */
  readonly receivers: string;
  readonly functions: string;
}

/** How they are called. The patterns are made once: they are tried on every hot line. */
interface Callee extends Pick<Called, 'module'> {
  readonly asMember: RegExp;
  readonly byName: RegExp;
}

function callee({ module, receivers, functions }: Called): Callee {
  return {
    module,
    asMember: new RegExp(`(?<![\\w$.])(?:${receivers})(?:\\.default)?\\.(?:${functions})\\)?\\s*\\(`),
    byName: new RegExp(`(?<![\\w$.])(?:${functions})\\s*\\(`),
  };
}

/** Whether the line calls one of the functions: as a member of a module, or by its name where the file imports it. */
export function callsAny(line: CodeLine, callees: readonly Callee[]): boolean {
  return callees.some(
    ({ module, asMember, byName }) => asMember.test(line.code) || (byName.test(line.code) && line.uses(module)),
  );
}

export const keyDerivation: readonly Callee[] = [
  ofNode(
    'crypto',
    'nodeCrypto',
    '(?:pbkdf2|scrypt|hkdf|argon2|generateKey|generateKeyPair|generatePrime|checkPrime)Sync',
  ),
];

const compression: readonly Callee[] = [
  ofNode(
    'zlib',
    'nodeZlib',
    '(?:deflate|deflateRaw|inflate|inflateRaw|gzip|gunzip|unzip|brotliCompress|brotliDecompress|zstdCompress|zstdDecompress)Sync',
  ),
];

/** Whether the line compresses by `node:zlib`. The package fflate has functions of the same names. */
export function compresses(line: CodeLine): boolean {
  return callsAny(line, compression) && !(line.uses('fflate') && !line.code.includes('zlib'));
}

export const childProcesses: readonly Callee[] = [
  ofNode('child_process', 'childProcess|cp', '(?:exec|execFile|spawn)Sync'),
  callee({ module: 'cross-spawn', receivers: 'crossSpawn', functions: 'spawn\\.sync' }),
  callee({ module: 'execa', receivers: 'execa', functions: 'execaSync|execaCommandSync|execa\\.sync' }),
];

const files =
  'access|appendFile|chmod|chown|close|copyFile|cp|exists|fstat|fsync|ftruncate|glob|link|lstat|mkdir|mkdtemp|open|opendir|read|readdir|readFile|readlink|readv|realpath|rename|rm|rmdir|stat|statfs|symlink|truncate|unlink|utimes|write|writeFile|writev';
const moreFiles = 'copy|emptyDir|ensureDir|ensureFile|move|outputFile|outputJson|pathExists|readJson|remove|writeJson';

const fileSystem: readonly Callee[] = [
  ofNode('fs', 'nodeFs|fsSync', `(?:${files})Sync(?:\\.native)?`),
  callee({
    module: '(?:fs-extra|graceful-fs)',
    receivers: 'fse|fsExtra|gracefulFs',
    functions: `(?:${files}|${moreFiles})Sync`,
  }),
];

/** Whether the line waits for the disk. A file system in memory has the same names. */
export function readsFiles(line: CodeLine): boolean {
  return callsAny(line, fileSystem) && !line.uses('(?:memfs|unionfs|mock-fs|mem-fs[\\w-]*)');
}

/** Functions of packages whose twins work in other threads or processes, or wait for them. */
const twins: readonly Callee[] = [
  callee({
    module: 'esbuild',
    receivers: 'esbuild',
    functions: '(?:build|transform|formatMessages|analyzeMetafile)Sync',
  }),
  callee({
    module: '@swc/core',
    receivers: 'swc',
    functions: '(?:transform|transformFile|parse|parseFile|minify)Sync',
  }),
  callee({
    module: '(?:glob|tinyglobby|globby|fast-glob)',
    receivers: 'fg|fastGlob|globby',
    functions: 'globSync|globbySync|glob\\.sync',
  }),
];
const bcryptTwins = callee({
  module: 'bcrypt',
  receivers: '(?!)',
  functions: '(?:\\w*bcrypt\\w*\\.)?(?:hash|compare|genSalt)Sync',
});

/** Babel's twins have the same names, and compute on the loop. */
export function hasTwin(line: CodeLine): boolean {
  if (line.uses('bcrypt')) return callsAny(line, [bcryptTwins]);
  return callsAny(line, twins) && !line.uses('@babel/core');
}

const importsBcryptjs = importOf('bcryptjs');

/** Whether the line imports `bcryptjs` or computes with it. */
export function callsBcryptjs(line: CodeLine): boolean {
  if (importsBcryptjs.test(line.text)) return true;
  const call = /(?<![\w$.])(?:\w*bcrypt\w*\.)?(?:hash|compare)(?:Sync)?\s*\(/i;
  return call.test(line.code) && line.uses('bcryptjs');
}

const hashPackages = '(?:crypto-js(?:/[\\w-]+)?|node-forge|sha\\.js|hash\\.js|js-sha\\d+|md5|blueimp-md5)';
const importsHashes = importOf(hashPackages);

/** Whether the line imports a package that hashes or encrypts in JavaScript, or computes with one. */
export function encryptsInJavaScript(line: CodeLine): boolean {
  if (importsHashes.test(line.text)) return true;
  if (/(?<![\w$.])CryptoJS\.(?!enc\b|lib\b|mode\b|pad\b)\w+/.test(line.code)) return true;
  if (/(?<![\w$.])forge\.(?:md|hmac|cipher|pkcs5|pki|rsa|random)\./.test(line.code)) return line.uses('node-forge');
  return /(?<![\w$.])(?:md5|sha\d+)\s*\(/.test(line.code) && line.uses('(?:js-sha\\d+|md5|blueimp-md5)');
}

const inJavaScript: readonly Callee[] = [
  callee({ module: 'pako', receivers: 'pako', functions: '(?:deflate|deflateRaw|inflate|inflateRaw|gzip|ungzip)' }),
  callee({
    module: 'fflate',
    receivers: 'fflate',
    functions: '(?:gzip|gunzip|deflate|inflate|zlib|unzlib|decompress|zip|unzip)Sync',
  }),
];

const importsCompression = importOf('(?:pako|jszip|fflate)');

/** Whether the line imports a package that compresses in JavaScript, or compresses with one. */
export function compressesInJavaScript(line: CodeLine): boolean {
  if (importsCompression.test(line.text) || callsAny(line, inJavaScript)) return true;
  return /\.(?:generateAsync|loadAsync)\s*\(/.test(line.code) && line.uses('jszip');
}

/** Whether a line itself is an import of the package. `name` is a part of a regular expression. */
function importOf(name: string): RegExp {
  return new RegExp(`(?:\\bfrom|^\\s*import|\\brequire\\s*\\(|\\bimport\\s*\\()\\s*['"]${name}['"]`);
}

/** A module of Node, under its own name, others, and those that compilers give it. */
function ofNode(name: string, others: string, functions: string): Callee {
  const receivers = `${name}|${others}|(?:node_)?${name}_1|import_(?:node_)?${name}\\d*`;
  return callee({ module: `(?:node:)?${name}`, receivers, functions });
}
