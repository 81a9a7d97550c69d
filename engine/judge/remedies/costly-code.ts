import { isBuiltin } from 'node:module';
import type { CodeLine } from './code-line.ts';

/** Whether the line copies a value by writing it as JSON and reading that. */
export function clonesByJson({ code }: CodeLine): boolean {
  return /\bJSON\.parse\(\s*JSON\.stringify\((?:[^,()[\]{}]|\([^()]*\)|\{[^{}]*\}|\[[^[\]]*\])*\)\s*\)/.test(code);
}

/** Whether the line reads or writes JSON of unknown size. */
export function handlesJson({ code }: CodeLine): boolean {
  const rest = code
    .replaceAll(/\.(?:has|get|set|add|delete)\(\s*JSON\.stringify\(/g, '(') // It is the key of a map, and short.
    .replaceAll(/\bJSON\.parse\(\s*''/g, '');
  return (
    /\bJSON\.(?:parse|stringify)\s*\(/.test(rest) ||
    /\bres(?:ponse)?(?:\.status\([^()]*\))?\.json\(\s*[^)\s]/.test(rest)
  );
}

/** Whether the line uses a regular expression of the file that can be slow on a long text. */
export function matchesSlowly(line: CodeLine): boolean {
  const { code } = line;
  const literals = [...code.matchAll(/\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/[a-z]*(?=\s*[.,)])/g)];
  const used = literals.filter(
    ({ index, 0: literal }) =>
      byPattern.test(code.slice(0, index)) || ofPattern.test(code.slice(index + literal.length)),
  );
  if (used.some(([, pattern = '']) => canBacktrack(pattern))) return true;
  return namesIn(code).some((name) => isSlow(line.declared(name)));
}

/** Whether a name is all that says so: the file does not define it. */
export function matchesByName({ code, declared }: CodeLine): boolean {
  const isDefined = (name: string): boolean => /^(?:['"`\d/]|(?:new )?RegExp\()/.test(declared(name));
  return namesIn(code).some((name) => namesPattern.test(name) && !isDefined(name));
}

/** Not every word that ends in `re`. */
const namesPattern = /(?:[pP]attern|PATTERN|[rR]eg[eE]xp?|REGEXP?|(?:^|_)re|[a-z\d]Re|(?:^|_|[a-z\d])RE)$/;

const byPattern = /\.\s*(?:match|matchAll|replace|replaceAll|search|split)\s*\(\s*$/;
const ofPattern = /^\s*\.\s*(?:test|exec)\s*\(/;

/** The names that a regular expression would have on this line. */
function namesIn(code: string): readonly string[] {
  const owners = [...code.matchAll(/([\w$]+)\.(?:test|exec)\s*\(/g)];
  const given = [
    ...code.matchAll(/\.(?:match|matchAll|replace|replaceAll|search|split)\s*\(\s*(?:[\w$]+\.)*([\w$]+)\s*[,)]/g),
  ];
  return [...owners, ...given].map(([, name = '']) => name);
}

/** `value`: what a name is declared with. */
function isSlow(value: string): boolean {
  const [, pattern] = /^\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/[a-z]*/.exec(value) ?? [];
  return pattern === undefined ? /^(?:new )?RegExp\(/.test(value) : canBacktrack(pattern);
}

/** Whether the line loads a module when its function is called, and not at start. Node's own modules are loaded already. */
export function loadsLate({ code, text, isInFunction }: CodeLine): boolean {
  if (!isInFunction || /\bfactory\s*\(|\btypeof\s+(?:exports|define)\b/.test(code)) return false;
  const [, module = ''] = /\b(?:require|import)\s*\(\s*['"`]([^'"`]+)/.exec(text) ?? [];
  return /(?<![\w$.]|typeof\s)(?:require|import)\s*\(/.test(code) && !isBuiltin(module);
}

/** Whether the line sorts a list in memory. Queries of databases have a method of that name, too. */
export function sorts({ code, next, declared }: CodeLine): boolean {
  const [before = '', after] = code.split(/\.\s*(?:sort|toSorted)\s*\(/, 2);
  if (after === undefined || /\.(?:find|aggregate|populate|lean|select|where)\s*\(|\b(?:query|cursor)\b/i.test(before))
    return false;
  const given = after.trim() === '' ? next.trim() : after.trim();
  if (/^(?:\)|\(|async\b|function\b|[\w$]+\s*=>)/.test(given)) return true;
  const [name = ''] = /^[\w$.]+/.exec(given) ?? [];
  return (
    /(?:^by[A-Z]|compare|comparator|cmp)/i.test(name) || /^(?:function\b|async\b|\(|[\w$]+\s*=>)/.test(declared(name))
  );
}

/** Whether the line copies a list or an object to add something to it. */
export function growsByCopies({ code }: CodeLine): boolean {
  return copies.some((pattern) => pattern.test(code));
}

const copies = [
  /(?<![\w$.])([\w$.]+)\s*=\s*[[{]\s*\.\.\.\s*\1\s*,/, // all = [...all, row]
  /(?<![\w$.])([\w$.]+)\s*=\s*\[[^[\]]*,\s*\.\.\.\s*\1\s*\]/, // all = [row, ...all]
  /(?<![\w$.])([\w$.]+)\s*=\s*\1\s*\.\s*concat\s*\(/, // all = all.concat(rows)
  /(?<![\w$.])([\w$.]+)\s*=\s*Buffer\s*\.\s*concat\s*\(\s*\[\s*\1\s*,/, // all = Buffer.concat([all, piece])
  /(?<![\w$.])([\w$.]+)\s*=\s*Object\.assign\(\s*\{\s*\}\s*,\s*\1\s*,/, // all = Object.assign({}, all, …)
  /\.\s*reduce(?:Right)?\s*(?:<.*>)?\(\s*(?:async\s*)?\(\s*([\w$]+)\b.*=>.*[[{]\s*\.\.\.\s*\1\s*,/, // reduce((all, row) => [...all, row], [])
  /\.\s*reduce(?:Right)?\s*(?:<.*>)?\(\s*\(\s*([\w$]+)\b.*=>.*(?<![\w$.])\1\s*\.\s*concat\s*\(/,
  /(?:\breturn\b|=>|[?:])\s*\(?\s*[[{]\s*\.\.\.\s*(?:acc|accumulator|accum)\s*,/, // a line inside such a callback
  /(?:\breturn\b|=>|[?:])\s*(?:acc|accumulator|accum)\s*\.\s*concat\s*\(/,
];

/** Whether the line captures a stack that no error needs. An error that was thrown has its stack already. */
export function capturesStacks({ code }: CodeLine): boolean {
  return (
    /\(?\bnew\s+[\w$]*Error\b(?:\([^()]*\))?\)?\s*\??\.\s*stack\b/.test(code) ||
    /\bError\.captureStackTrace\s*\(\s*(?!this\b)/.test(code) ||
    /(?<![\w$.])console\.trace\s*\(/.test(code)
  );
}

/**
 * Whether a regular expression (text between the slashes) may need more than one pass over a text. False if certain.
 */
function canBacktrack(pattern: string): boolean {
  const plain = pattern
    .replaceAll(/\\[pPu]\{[^}]*\}|\\./g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/\(\?[:=!<]?[=!]?/g, '(');
  // A group that repeats and ends with what repeats, both maybe bounded: `(\w{1,30}\s?){1,30}`.
  if (/(?:[*+]|\{\d+,\d*\})(?:[^()][?*])*\)(?:[*+]|\{\d+,\d*\})/.test(plain)) return true;
  const repetitions = [...plain.matchAll(/[*+]|\{\d+,\}/g)];
  const [first] = repetitions;
  if (first === undefined) return false;
  if (repetitions.length > 1) return true;
  const after = plain.slice(first.index + first[0].length).replace(/^\??\)*/, '');
  if (plain[first.index - 1] === ')') return plain.includes('|') || (after !== '' && !plain.startsWith('^'));
  return after !== '' && !after.startsWith('|') && !plain.startsWith('^') && !beginsOnlyOutside(pattern);
}

/** Whether what is repeated cannot contain the character before it, as in `<[^<>]+>`: no two attempts read the same text. */
function beginsOnlyOutside(pattern: string): boolean {
  const [, before = '', repeated = ''] =
    /(\\[^\w\s]|[^\\()[\]{}*+?|^$.])\(?(?:\?(?::|<\w+>))?(\\[wds]|\[\^(?:\\.|[^\]\\])*\])(?:[*+]|\{\d+,\})/.exec(
      pattern,
    ) ?? [];
  const character = before.at(-1);
  if (character === undefined) return false;
  if (repeated === '\\w') return !/\w/.test(character);
  if (repeated === '\\d') return !/\d/.test(character);
  if (repeated === '\\s') return !/\s/.test(character);
  return repeated.slice(2, -1).includes(character);
}

/** Functions of one module. The patterns are made once: they are tried on every hot line. */
interface Callee {
  readonly module: string;
  readonly asMember: RegExp;
  readonly byName: RegExp;
}

/** Parts of regular expressions: the module's names in imports, its names before a member, and its functions. */
function callee(module: string, receivers: string, functions: string): Callee {
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

const derivations = '(?:pbkdf2|scrypt|hkdf|argon2|generateKey|generateKeyPair|generatePrime|checkPrime)Sync';
export const isKeyDerivation = new RegExp(`^${derivations}$`);
export const keyDerivation: readonly Callee[] = [ofNode('crypto', 'nodeCrypto', derivations)];

const compressions =
  '(?:deflate|deflateRaw|inflate|inflateRaw|gzip|gunzip|unzip|brotliCompress|brotliDecompress|zstdCompress|zstdDecompress)Sync';
/** V8 names some of them by what they have in common. */
export const isCompression = new RegExp(`^(?:${compressions}|syncBufferWrapper|zlibBufferSync)$`);
const compression: readonly Callee[] = [ofNode('zlib', 'nodeZlib', compressions)];

/** Whether the line compresses by `node:zlib`. The package fflate has functions of the same names. */
export function compresses(line: CodeLine): boolean {
  return callsAny(line, compression) && !(line.uses('fflate') && !line.code.includes('zlib'));
}

export const childProcesses: readonly Callee[] = [
  ofNode('child_process', 'childProcess|cp', '(?:exec|execFile|spawn)Sync'),
  callee('cross-spawn', 'crossSpawn', 'spawn\\.sync'),
  callee('execa', 'execa', 'execaSync|execaCommandSync|execa\\.sync'),
];

const files =
  'access|appendFile|chmod|chown|close|copyFile|cp|exists|fchmod|fchown|fdatasync|fstat|fsync|ftruncate|futimes|glob|lchown|link|lstat|lutimes|mkdir|mkdtemp|open|opendir|read|readdir|readFile|readlink|readv|realpath|rename|rm|rmdir|stat|statfs|symlink|truncate|unlink|utimes|write|writeFile|writev';
export const isFileCall = new RegExp(`^(?:${files})Sync$`);
const moreFiles =
  'copy|createFile|createLink|createSymlink|emptyDir|emptydir|ensureDir|ensureFile|ensureLink|ensureSymlink|mkdirp|mkdirs|move|output(?:File|Json|JSON)|pathExists|(?:read|write)(?:Json|JSON)|remove';

const fileSystem: readonly Callee[] = [
  ofNode('fs', 'nodeFs|fsSync', `(?:${files})Sync(?:\\.native)?`),
  callee('(?:fs-extra|graceful-fs)', 'fs|fse|fsExtra|gracefulFs', `(?:${files}|${moreFiles})Sync`),
];

/** Whether the line waits for the disk. A file system in memory has the same names. */
export function readsFiles(line: CodeLine): boolean {
  return callsAny(line, fileSystem) && !line.uses('(?:memfs|unionfs|mock-fs|mem-fs[\\w-]*)');
}

/** Functions of packages whose twins work in other threads or processes, or wait for them. */
const twins: readonly Callee[] = [
  callee('esbuild', 'esbuild', '(?:build|transform|formatMessages|analyzeMetafile)Sync'),
  callee('@swc/core', 'swc', '(?:transform|transformFile|parse|parseFile|minify)Sync'),
  callee('(?:glob|tinyglobby|globby|fast-glob)', 'fg|fastGlob|globby', 'globSync|globbySync|glob\\.sync'),
];
const bcryptTwins = callee('bcrypt', '(?!)', '(?:\\w*bcrypt\\w*\\.)?(?:hash|compare|genSalt)Sync');

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
export const isHashPackage = new RegExp(`^${hashPackages}$`);
const importsHashes = importOf(hashPackages);

/** Whether the line imports a package that hashes or encrypts in JavaScript, or computes with one. */
export function encryptsInJavaScript(line: CodeLine): boolean {
  if (importsHashes.test(line.text)) return true;
  if (/(?<![\w$.])CryptoJS\.(?!enc\b|lib\b|mode\b|pad\b)\w+/.test(line.code)) return true;
  if (/(?<![\w$.])forge\.(?:md|hmac|cipher|pkcs5|pki|rsa|random)\./.test(line.code)) return line.uses('node-forge');
  return /(?<![\w$.])(?:md5|sha\d+)\s*\(/.test(line.code) && line.uses('(?:js-sha\\d+|md5|blueimp-md5)');
}

const inJavaScript: readonly Callee[] = [
  callee('pako', 'pako', '(?:deflate|deflateRaw|inflate|inflateRaw|gzip|ungzip)'),
  callee('fflate', 'fflate', '(?:gzip|gunzip|deflate|inflate|zlib|unzlib|decompress|zip|unzip)Sync'),
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
  return callee(`(?:node:)?${name}`, receivers, functions);
}
