import type { RemedyPage } from '../../../protocol/ids.ts';
import { type Line0, toLine1 } from '../../../protocol/units.ts';
import { indexSource } from '../../read/source-code/index-source.ts';
import { ownCode, type PlacedFunction, sourceOf } from '../../read/source-code/own-code.ts';
import { lineSyntax, type LineCall, type LineSyntax } from '../../read/source-code/line-syntax.ts';
import {
  callsAny,
  callsBcryptjs,
  childProcesses,
  compresses,
  compressesInJavaScript,
  encryptsInJavaScript,
  hasTwin,
  isCompression,
  isFileCall,
  isHashPackage,
  isKeyDerivation,
  keyDerivation,
  readsFiles,
  capturesStacks,
  clonesByJson,
  growsByCopies,
  handlesJson,
  loadsLate,
  matchesByName,
  matchesSlowly,
  sorts,
} from './costly-code.ts';
import { type CodeLine, codeLine } from './code-line.ts';

/** What could be done about a line: the page that says it. `words/remedies.ts` has a sentence for each. */
export interface MatchedRemedy {
  readonly page: RemedyPage;
  /** Code with the names of the source; null where they are not certain. */
  readonly fix: string | null;
  /** Code that can replace the line without any other edit; null if there is none. */
  readonly replacement: string | null;
}

/** A remedy for a line that was seen to be slow. No rule is applied to a line without samples. */
interface Rule {
  readonly page: RemedyPage;
  /** True where the loop waits in such a call, and computes nothing. */
  readonly waits?: boolean;
  /** True where it is about functions in JavaScript, of Node or of packages: a profile shows their time. */
  readonly calls?: boolean;
  /** Only the first match of a family is used. */
  readonly family?: 'json' | 'package' | 'matching';
  /** True where only a name says it. */
  readonly byName?: boolean;
  readonly matches: (line: CodeLine) => boolean;
}

/** The rules, with the most specific of each family first. */
const rules: readonly Rule[] = [
  { page: 'json-clone', family: 'json', matches: clonesByJson },
  { page: 'key-derivation', calls: true, matches: (line) => callsAny(line, keyDerivation) },
  { page: 'compression', calls: true, matches: compresses },
  { page: 'child-processes', calls: true, waits: true, matches: (line) => callsAny(line, childProcesses) },
  { page: 'files', calls: true, waits: true, matches: readsFiles },
  { page: 'twins', calls: true, waits: true, matches: hasTwin },
  { page: 'json', family: 'json', matches: handlesJson },
  { page: 'bcryptjs', calls: true, family: 'package', matches: callsBcryptjs },
  { page: 'crypto-in-javascript', calls: true, family: 'package', matches: encryptsInJavaScript },
  { page: 'compression-in-javascript', calls: true, family: 'package', matches: compressesInJavaScript },
  { page: 'regular-expressions', family: 'matching', matches: matchesSlowly },
  { page: 'regular-expressions', family: 'matching', byName: true, matches: matchesByName },
  { page: 'late-loading', waits: true, matches: loadsLate },
  { page: 'sorting', matches: sorts },
  { page: 'growing-copies', matches: growsByCopies },
  { page: 'stacks', matches: capturesStacks },
];

const MAX_REMEDIES = 2;

export interface AskedLine {
  readonly source: string;
  readonly line: Line0;
  /** Path of the source, for its language. */
  readonly path: string;
  /** The function whose code on the line is asked about, at its place in this source; null for all of the line. */
  readonly fn: PlacedFunction | null;
  /** True where the line held the loop while it waited: then only what waits is to blame. */
  readonly waited: boolean;
  /** True where functions that the line calls have most of its time, or may have. */
  readonly inCalls: boolean;
}

/** What could be done about a line; empty where nothing is certain. */
export function matchRemedies(asked: AskedLine): readonly MatchedRemedy[] {
  const all = matchedPages({ ...asked, own: null });
  const own = all.length === 0 ? null : ownCodeOf(asked);
  const pages = own === null ? all : matchedPages({ ...asked, own });
  const syntax = pages.length === 0 ? null : lineSyntax(asked.source, asked.path, toLine1(asked.line));
  return pages.map(({ page }) => {
    const { code = null, replacesLine = false } = (syntax === null ? null : fixFor(page, syntax)) ?? {};
    return { page, fix: code, replacement: replacesLine ? code : null };
  });
}

/** Null where no function is asked about, or where it is not on the line. */
function ownCodeOf({ source, path, line, fn }: AskedLine): string | null {
  const index = fn === null ? null : indexSource(source, path);
  const found = fn === null ? undefined : sourceOf(index, fn);
  return index === null || found === undefined ? null : ownCode(source, toLine1(line), found, index);
}

interface AskedCode extends Omit<AskedLine, 'path' | 'fn'> {
  /** The code on the line that is asked about; null for all of it. */
  readonly own: string | null;
}

/** `byName`: only a name says it. */
export type MatchedPage = Required<Pick<Rule, 'page' | 'byName'>>;

/** The pages alone, for which nothing is parsed. */
export function matchedPages({ source, line, own, waited, inCalls }: AskedCode): readonly MatchedPage[] {
  const code = codeLine(source, line, own);
  const found = rules.filter(
    ({ matches, waits = false, calls = false }) => (!waited || waits) && (!calls || inCalls) && matches(code),
  );
  const first = found.filter(
    ({ family }, index) => family === undefined || found.findIndex((rule) => rule.family === family) === index,
  );
  return first.slice(0, MAX_REMEDIES).map(({ page, byName = false }) => ({ page, byName }));
}

/** The page about a function of Node, by its name; null where there is none. */
export function pageOfCall(name: string): RemedyPage | null {
  if (isCompression.test(name)) return 'compression';
  if (isKeyDerivation.test(name)) return 'key-derivation';
  return isFileCall.test(name) ? 'files' : null;
}

/** The page about a package, by its name; null where there is none. */
export function pageOfPackage(name: string): RemedyPage | null {
  if (name === 'bcryptjs') return 'bcryptjs';
  if (isHashPackage.test(name)) return 'crypto-in-javascript';
  return /^(?:pako|jszip|fflate)$/.test(name) ? 'compression-in-javascript' : null;
}

/** A remedy in the source's own names, differences as a comment. Null where names are not certain. */
function fixFor(page: RemedyPage, syntax: LineSyntax): Fix | null {
  const fix = fixes[page]?.(syntax) ?? null;
  return fix === null || fix.code.length > MAX_FIX || fix.code.includes('```') ? null : fix;
}

const MAX_FIX = 400;

interface Fix {
  readonly code: string;
  /** False where it imports or awaits something, or is not all of the line. */
  readonly replacesLine: boolean;
}

const fixes: Partial<Readonly<Record<RemedyPage, (syntax: LineSyntax) => Fix | null>>> = {
  'json-clone': shallowCopy,
  'growing-copies': inPlace,
  json: givesWay,
  files: (syntax) => withoutSync(syntax, /^(?:node:)?fs$/, promisedFiles, byPromises),
  compression: (syntax) => withoutSync(syntax, /^(?:node:)?zlib$/, /Sync$/, promisified),
  'key-derivation': (syntax) => withoutSync(syntax, /^(?:node:)?crypto$/, /Sync$/, promisified),
  twins: (syntax) => withoutSync(syntax, /^(?:bcrypt|esbuild|@swc\/core)$/, /Sync$/, sameModule),
};

/** The functions of `node:fs` that do the same by a promise, but for a file that is given by its number. */
const promisedFiles =
  /^(?:access|appendFile|chmod|chown|copyFile|cp|link|lstat|mkdir|mkdtemp|readFile|readdir|readlink|realpath|rename|rm|rmdir|stat|statfs|symlink|truncate|unlink|utimes|writeFile)Sync$/;

/** A copy of what the source itself shows to be a list or an object. */
function shallowCopy({ calls, hasName }: LineSyntax): Fix | null {
  const ofJson = calls.filter(({ receiver, args }) => receiver === 'JSON' && args.length === 1);
  const texts = ofJson.filter(({ name }) => name === 'stringify');
  const clones = ofJson.flatMap((parse) =>
    texts.filter(({ text }) => parse.name === 'parse' && parse.args[0] === text).map((text) => ({ parse, text })),
  );
  const [clone, ...others] = clones;
  if (clone === undefined || others.length > 0 || hasName('item')) return null;
  const { parse, text } = clone;
  const value = text.args.join();
  if (text.declaredAs === null) return null;
  const code =
    text.declaredAs === 'list'
      ? `// where its items are plain objects; what lies deeper stays shared\n${parse.statementWith(`${value}.map((item) => ({ ...item }))`)}`
      : `// what lies deeper stays shared\n${parse.statementWith(`{ ...${value} }`)}`;
  return { code, replacesLine: parse.isInWholeLine };
}

function inPlace({ growths }: LineSyntax): Fix | null {
  const [only, ...others] = growths;
  if (only === undefined || others.length > 0) return null;
  return { code: `// where no other code holds ${only.name} yet\n${only.inPlace}`, replacesLine: only.isWholeLine };
}

/** The loop around the line lets others run in between, by time. */
function givesWay({ calls, isModule, hasName }: LineSyntax): Fix | null {
  const { loop = null, awaits = 'never' } = calls.find(({ receiver }) => receiver === 'JSON') ?? {};
  if (loop === null || awaits === 'never' || ['until', 'nextTurn'].some(hasName)) return null;
  const lines = [
    imported('setImmediate as nextTurn', 'node:timers/promises', isModule),
    '',
    `let until = performance.now() + 8;${asyncNote(awaits)}`,
    `for (${loop}) {`,
    '  if (performance.now() > until) {',
    '    await nextTurn(); // other code runs here: it must not change what you read',
    '    until = performance.now() + 8;',
    '  }',
    '  // …',
    '}',
  ];
  return { code: lines.join('\n'), replacesLine: false };
}

/** The call by a promise, for a function of one of the modules whose name is `names`. */
function withoutSync(syntax: LineSyntax, modules: RegExp, names: RegExp, write: Writer): Fix | null {
  const found = syntax.calls.filter(({ name, module }) => names.test(name) && module !== null && modules.test(module));
  const [call, ...others] = found;
  if (call === undefined || others.length > 0 || call.awaits === 'never') return null;
  const written = write(call, call.name.slice(0, -'Sync'.length), syntax);
  if (written === null) return null;
  const statement = `${call.statementWith(`await ${written.call}`)}${asyncNote(call.awaits)}`;
  const code = [...written.imports, ...(written.imports.length > 0 ? [''] : []), statement].join('\n');
  return { code, replacesLine: false };
}

type Writer = (call: LineCall, name: string, syntax: LineSyntax) => Written | null;

interface Written {
  readonly call: string;
  readonly imports: readonly string[];
}

function byPromises({ receiver, args }: LineCall, name: string, { hasName, isModule }: LineSyntax): Written | null {
  const [file = ''] = args;
  const isNumber = /^\d|(?:fd|fileno|descriptor)$|^std(?:in|out|err)$/i.test(file) || hasName('openSync');
  // Before Node.js 24 the promise does not know `throwIfNoEntry`.
  if (isNumber || (/^l?stat$/.test(name) && args.length > 1)) return null;
  const given = args.join(', ');
  if (receiver !== null) return { call: `${receiver}.promises.${name}(${given})`, imports: [] };
  return hasName(name) ? null : { call: `${name}(${given})`, imports: [imported(name, 'node:fs/promises', isModule)] };
}

function promisified({ receiver, module, args }: LineCall, name: string, syntax: LineSyntax): Written | null {
  const { hasName, isModule } = syntax;
  if (receiver === null && hasName(name)) return null;
  const callee = receiver === null ? name : `${receiver}.${name}`;
  return {
    call: `promisify(${callee})(${args.join(', ')})`,
    imports: [
      ...(receiver === null && module !== null ? [imported(name, module, isModule)] : []),
      ...(hasName('promisify') ? [] : [imported('promisify', 'node:util', isModule)]),
    ],
  };
}

function sameModule(
  { receiver, module, args }: LineCall,
  name: string,
  { hasName, isModule }: LineSyntax,
): Written | null {
  const given = args.join(', ');
  if (receiver !== null) return { call: `${receiver}.${name}(${given})`, imports: [] };
  if (hasName(name) || module === null) return null;
  return { call: `${name}(${given})`, imports: [imported(name, module, isModule)] };
}

function imported(name: string, from: string, isModule: boolean | null): string {
  if (isModule === true) return `import { ${name} } from '${from}';`;
  // Both kinds of modules have `import()`.
  const load = isModule === null ? 'await import' : 'require';
  return `const { ${name.replace(' as ', ': ')} } = ${load}('${from}');`;
}

function asyncNote(awaits: LineCall['awaits']): string {
  return awaits === 'now' ? '' : ' // in an async function';
}
