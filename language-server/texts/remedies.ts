/** A remedy for a line that was seen to be slow. No rule is applied to a line without samples. */
interface Rule {
  /** Family of the rule. Only the first matching rule of a family is used. */
  readonly family: 'json' | 'sync' | 'package' | 'regexp' | 'loading' | 'sort' | 'copy' | 'stack';
  readonly pattern: RegExp;
  readonly remedy: string;
}

const callback = 'A callback does not make it non-blocking.';

/** The rules, with the most specific of each family first. Each looks at the text of one line. */
const rules: readonly Rule[] = [
  {
    family: 'json',
    pattern: /JSON\.parse\(\s*JSON\.stringify\(/,
    remedy: 'A deep clone by JSON reads and writes everything twice. Copy only what changes, or use `structuredClone`.',
  },
  {
    family: 'sync',
    pattern: /\b(?:pbkdf2|scrypt)Sync\s*\(/,
    remedy: '`pbkdf2` and `scrypt` without `Sync` do this work in the thread pool.',
  },
  {
    family: 'sync',
    pattern: /\b(?:deflate|inflate|gzip|gunzip|brotli\w*|unzip|deflateRaw|inflateRaw|zstd\w*)Sync\s*\(/,
    remedy: 'The same function without `Sync` compresses in the thread pool; streams do it piece by piece.',
  },
  {
    family: 'sync',
    pattern: /\bexec(?:File)?Sync\s*\(|\bspawnSync\s*\(/,
    remedy: 'The loop waits for the other process. `spawn` and `execFile` do not.',
  },
  {
    family: 'sync',
    pattern:
      /\b(?:read|write|append|copy|stat|lstat|readdir|exists|mkdir|rm|unlink|rename|access|open|realpath)\w*Sync\s*\(/,
    remedy:
      'Files can be read and written by `node:fs/promises` while the loop goes on. Read what never changes once, at start.',
  },
  {
    family: 'sync',
    pattern: /\b\w+Sync\s*\(/,
    remedy: 'A call that ends in `Sync` holds the loop until it is done. Most have a twin that does not.',
  },
  {
    family: 'json',
    pattern: /\bJSON\.(?:parse|stringify)\s*\(/,
    remedy: 'JSON of this size takes its time in one go. Send less of it, split it, or do it in a worker.',
  },
  {
    family: 'package',
    pattern: /\bbcrypt(?:js)?\b.*\.\s*(?:hash|compare)\s*\(|['"]bcryptjs['"]/,
    remedy: `\`bcryptjs\` computes in JavaScript, on the loop. ${callback} The package \`bcrypt\` computes in the thread pool.`,
  },
  {
    family: 'package',
    pattern: /\b(?:crypto-?js|CryptoJS|sha\.?js|pako|jszip|JSZip|node-forge|forge)\b/,
    remedy: `This package computes in JavaScript, on the loop. ${callback} \`node:crypto\` and \`node:zlib\` do it in the thread pool.`,
  },
  {
    family: 'regexp',
    pattern: /\.(?:match|matchAll|replace|replaceAll|search|split|test|exec)\s*\(|new RegExp\(/,
    remedy:
      'A regular expression over long input can take time that grows with its square, or worse. Bound the input, and avoid repetitions within repetitions.',
  },
  {
    family: 'loading',
    pattern: /\brequire\s*\(|\bimport\s*\(/,
    remedy: 'Loading a module here makes the first caller wait. Load it at start.',
  },
  {
    family: 'sort',
    pattern: /\.\s*(?:sort|toSorted)\s*\(/,
    remedy: 'Sorting holds the loop until it is done. Sort once instead of in a loop, or keep the data sorted.',
  },
  {
    family: 'copy',
    pattern: /(?:\[|\(|,)\s*\.\.\.\s*\w|\.concat\s*\(/,
    remedy: 'Spreading copies everything. In a loop the copies grow with the square: push into one array.',
  },
  {
    family: 'stack',
    pattern: /\.stack\b|captureStackTrace|console\.trace\s*\(/,
    remedy: 'Capturing a stack costs far more than a line of log. Do it for errors alone.',
  },
];

const mostRemedies = 2;

/** Longest part of a line that is looked at, in UTF-16 units: a line of a bundle may have a megabyte. */
const longestLine = 2000;

/** What could be done about a line, as Markdown of our own words; empty where nothing is known. */
export function remediesFor(line: string): readonly string[] {
  const found = rules.filter(({ pattern }) => pattern.test(line.slice(0, longestLine)));
  const first = found.filter(({ family }, index) => found.findIndex((rule) => rule.family === family) === index);
  return first.slice(0, mostRemedies).map(({ remedy }) => remedy);
}
