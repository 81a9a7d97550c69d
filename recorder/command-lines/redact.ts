/** Replaces a secret. */
export const redacted = '[redacted]';

/**
 * The arguments of a command without secrets: `--password=…`, `--token X`, `KEY=…`, `-u me:…`, headers, JSON, passwords
 * in urls and connection strings, known tokens, JWTs, and long random texts. Paths and the names of scripts or tests are
 * kept. This runs in recorded processes, so it must be small and quick.
 */
export function redactArguments(args: readonly string[]): readonly string[] {
  const program = args.find((text) => hint.test(text) && ownOptions.test(text)) ?? '';
  return args.map((text, index) => {
    const before = args[index - 1] ?? '';
    if (
      !text.startsWith('-') &&
      ((hint.test(before) && patterns().option.test(before)) || isPasswordOf(program, before))
    )
      return redacted;
    if (/^-p./.test(text) && /(?:mysql|mariadb)[\w-]*$|sshpass$/i.test(program)) return `-p${redacted}`;
    const isAssigned = text.includes('=') && hint.test(text) && !forShell.test(`${args[0]} ${before}`);
    const assigned = isAssigned ? patterns().assigned.exec(text) : null;
    const [start = ''] = assigned ?? (/^--?u(?:ser)?$/.test(before) ? user.exec(text) : null) ?? [];
    return start === '' ? redactText(text) : start + redacted;
  });
}

/** The first word and the word before TEXT in `bash -c TEXT`: there more words may follow a value. */
const forShell = /sh -\w*c$/;

/** Redacts secrets in one argument, or in a text of several, as for `sh -c`. */
export function redactText(text: string): string {
  const read = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  const withoutUrls = read.includes('://') ? read.replaceAll(passwordInUrl, `$1${redacted}@`) : read;
  const named = hint.test(read) && /[=:\s]/.test(read) ? patterns().named : [];
  const rest = named.reduce((before, pattern) => before.replaceAll(pattern, `$1${redacted}`), withoutUrls);
  if (rest.length < MIN_TOKEN) return rest;
  return rest.replaceAll(knownToken, redacted).replaceAll(randomText, (word) => (isRandom(word) ? redacted : word));
}

/** A quick test for names of secrets: building the patterns below takes 1.5 ms, and most commands have no secret. */
const hint = /pass|pwd|secret|token|credential|key|auth|bearer|cookie|jwt|sig|sess|sid|-u|mysql|mariadb|redis|mongo/i;

/** Programs with a one-letter option for the password: `mysql -pX`, `sshpass -p X`, `redis-cli -a X`. */
const ownOptions = /(?:^|\/)(?:(?:mysql|mariadb|mongo)[\w-]*|sshpass|redis-cli)$/i;

function isPasswordOf(program: string, option: string): boolean {
  return /redis-cli$/i.test(program) ? option === '-a' : option === '-p' && /(?:mongo[\w-]*|sshpass)$/i.test(program);
}

/** These words may also end a part of a name (`PGPASSWORD`, `authToken`); `max-tokens` and `tokenizer` do not match. */
const longWords =
  '(?:pass(?:word|wd|phrase)|secret|token|signature|credentials?|(?:api|access|account|private|secret|signing|encryption|master)[-_]?key)';
/** What may follow a long word (`API_KEY_2`), without words that only describe a secret (`PASSWORD_FILE`). */
const suffix = '\\d*(?:[-_](?!limit|length|type|file|path|dir|ur[il]|name|ttl|expir|time|store|stdin)[a-z\\d]+){0,3}';
/** These words count alone, or after `-`, `_` or a point: `bypass` does not match. */
const shortWords = '(?:pass(?:in|out)?|pwd|auth(?:orization)?|bearer|cookie|jwt|sig|sess(?:ion)?[-_]?(?:id|key)|sid)';
const name = `(?:[\\w.-]*${longWords}${suffix}|(?:[\\w.-]*[-_.])?${shortWords})`;
const option = `--?(?!-|no-)${name}`;
/** At the start of a word, which is fast to search. */
const word = `(?<![\\w.-])${name}`;

/** Up to the end of the quotes that open right here, or right before the name: `'--password=a b'`. */
const inQuotes = String.raw`(?<=(["'])(?:[\w.-]+[:=]\s?)?)(?:\\.|(?!\2).)+`;
/** In a word of a shell a quote opens where a letter follows; otherwise it closes the quotes around the word. */
const inWord = String.raw`(?:\\[^"]|[^\s&;"'\\]|["'](?=\w)[^"']*["']?)`;
const shellValue = String.raw`(?:\\*"(?:\\.|[^"\\])*"?|'[^']*'?|${inWord})${inWord}*`;

/** The user's name in `me:secret`; `1000:1000`, `C:\\` and urls do not match. */
const user = /^[^\s:/\\]+:(?![\d/\\]*$|[/\\])/;

/** Other words of the same command. */
const others = String.raw`\s(?:[^|;&\n]*?\s)?`;

const makePatterns = () => ({
  /** An option whose value is the next argument. */
  option: new RegExp(`^${option}$`, 'i'),
  /** An argument whose rest after a name and `=` is the value: `--password=a b&c`, `--env=DB_PASSWORD=a;b`. */
  assigned: new RegExp(`^(?:[\\w.-]+=){0,4}${name}=`, 'i'),
  named: texts.map((text) => new RegExp(text, 'gi')),
});

const made: { patterns?: ReturnType<typeof makePatterns> } = {};

const patterns = () => (made.patterns ??= makePatterns());

/** The first group is the text before a secret, the rest of the match is the secret. */
const texts = [
  String.raw`((?<![\w:/-])(?:(?:proxy-|set-)?(?:authorization|cookie(?=\s*:\s*[^\s"'=]+=))|x-[\w-]*(?:key|token))\s*:\s*["']?)(?:${inQuotes}|[^\s"'].*)`,
  `(${word}\\s*=\\s*|(?:^|\\s)${option}\\s+(?!-))(?:${inQuotes}|${shellValue})`,
  // JSON, also in a text in quotes; `{token: x}`.
  String.raw`((?:${word}\\*["']|[{,]\s*${word})\s*:\s*)(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\+"[^"\\]*\\+"|(?![[\]])[^\s&;,"'\\{}]+)`,
  // Only where nothing else follows: a test may be called `token: is refreshed`.
  `((?:^|["'=])${word}:\\s+)[^\\s"']+(?=["']|$)`,
  String.raw`((?:^|\s)(?:-u\s+|--user[=\s]\s*)[^\s:/\\"']+:)(?!\d+(?:\s|$)|[/\\])[^\s"']+`,
  String.raw`(\b(?:(?:mysql|mariadb)[\w-]*${others}-p|sshpass\s+-p\s*|redis-cli${others}-a\s+|mongo[\w-]*${others}-p\s+))[^\s"']+`,
];

/** A password in a url, which may contain a slash or `@`; `localhost:3000/@scope` has none. */
const passwordInUrl =
  /([a-z][\w+.-]{0,20}:\/\/)(?:[^\s/@:"']{0,200}:(?!\d*(?:[/?#]|$))[^\s"']{1,1000}@|[^\s/"'?#]{1,1000}@)/gi;
const knownToken =
  /\b(?:gh[oprsu]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_\w{16,}|sk-[\w-]{16,}|[rsp]k_(?:live|test)_\w{8,}|xox[abeoprs]-[\w-]{10,}|A(?:KIA|SIA)[\dA-Z]{12,}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g;
/** The shortest text that `knownToken` or `randomText` can match. */
const MIN_TOKEN = 15;
/** Random text without slashes, points and spaces: neither a path nor a file's name. */
const randomText = /(?<![\w./\\@-])[\w+=-]{24,}(?![\w./\\-])/g;

/** In UTF-16 units. The rest of a longer argument is not kept. */
const MAX_TEXT = 4_000;

/** Letters of both cases mixed with digits, or a long hash: no ordinary word is like that. */
function isRandom(word: string): boolean {
  if (/^[\da-f]{32,}$/i.test(word)) return true;
  if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false;
  return entropyOf(word) > MIN_ENTROPY;
}

/** In bits for each character. */
function entropyOf(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  return -[...counts.values()].reduce((sum, count) => sum + (count / word.length) * Math.log2(count / word.length), 0);
}

/** 24 random characters have over 4; words in camel case with a number around 3.5. */
const MIN_ENTROPY = 3.7;
