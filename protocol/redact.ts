/** What stands where a secret was. */
export const redacted = '[redacted]';

/**
 * The arguments of a command without what looks like a secret: `--password=…`, `--token X`, `KEY=…`, passwords in urls, tokens
 * that are known by how they begin, JWTs, and long random texts. A path or a word is none. Runs in recorded processes: small.
 */
export function redactArguments(args: readonly string[]): readonly string[] {
  return args.map((text, index) =>
    !text.startsWith('-') && secretOption.test(args[index - 1] ?? '') ? redacted : redactText(text),
  );
}

/** The same in one argument, or in a text of several, such as `sh -c` is given. */
export function redactText(text: string): string {
  const read = text.length > mostRead ? `${text.slice(0, mostRead)}…` : text;
  return read
    .replaceAll(passwordInUrl, `$1${redacted}@`)
    .replaceAll(namedSecret, `$1${redacted}`)
    .replaceAll(knownToken, redacted)
    .replaceAll(randomText, (word) => (isRandom(word) ? redacted : word));
}

const secretWords =
  '(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth|authorization|credentials?|bearer)';
/** Alone: its value is the next argument. */
const secretOption = new RegExp(`^--?(?:[\\w.-]*[-_.])?${secretWords}$`, 'i');
/** With its value, after `=`, or in a text of several words after a space; `Authorization: Bearer …`. */
const namedSecret = new RegExp(
  `((?:^|[^a-z])${secretWords}["']?\\s*[=:]\\s*(?:bearer\\s+|basic\\s+)?|(?:^|\\s)--?(?:[\\w.-]*[-_.])?${secretWords}\\s+(?!-))(?:"[^"]*"|'[^']*'|[^\\s&;,"']+)`,
  'gi',
);
const passwordInUrl = /([a-z][\w+.-]{0,20}:\/\/)[^\s/@]{1,1000}@/gi;
const knownToken =
  /\b(?:gh[oprsu]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_\w{16,}|sk-[\w-]{16,}|[rsp]k_(?:live|test)_\w{8,}|xox[abeoprs]-[\w-]{10,}|A(?:KIA|SIA)[\dA-Z]{12,}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g;
/** Without slashes, points and spaces, so neither a path nor a name of a file. */
const randomText = /(?<![\w./\\@-])[\w+=-]{24,}(?![\w./\\-])/g;

/** More of one argument is not kept, and says nothing. */
const mostRead = 4_000;

/** Letters of both cases and digits mixed, or a long hash: no word is. */
function isRandom(word: string): boolean {
  if (/^[\da-f]{32,}$/i.test(word)) return true;
  if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false;
  return entropyOf(word) > leastEntropy;
}

/** In bits for each character. */
function entropyOf(word: string): number {
  const counts: Record<string, number> = {};
  for (const character of word) counts[character] = (counts[character] ?? 0) + 1;
  let entropy = 0;
  for (const character in counts) {
    const share = (counts[character] ?? 0) / word.length;
    entropy -= share * Math.log2(share);
  }
  return entropy;
}

/** Of 24 random characters it is over 4; of words in camel case with a number around 3.5. */
const leastEntropy = 3.7;
