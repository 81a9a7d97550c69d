/**
 * The words of `sh -c TEXT`, program first, with the recorder added to each NODE_OPTIONS that TEXT sets
 * (`NODE_OPTIONS=--experimental-vm-modules jest`, as npm scripts have it). Null where nothing changes: another program, a
 * script in a file, no such setting, a setting that contains the value before it, or one inside quotes.
 */
export function reachedThroughShell(words: readonly string[], recorderFile: string): readonly string[] | null {
  const place = /(^|[\\/])(ba|da|z|k|a)?sh$/.test(words[0] ?? '') ? placeOfText(words) : null;
  const text = place === null ? undefined : words[place];
  if (place === null || text === undefined) return null;
  const reached = withRecorderInText(text, recorderFile);
  return reached === text ? null : words.with(place, reached);
}

/** Index of the text, the first word after the options with `-c`; null where that word is a file. */
function placeOfText(words: readonly string[]): number | null {
  let [at, isText] = [1, false];
  for (;;) {
    const word = words[at] ?? '';
    if (word === '--' || word === '-') return isText ? at + 1 : null;
    if (!/^[-+]./.test(word)) return isText ? at : null;
    if (word.startsWith('--')) at += /^--(?:rc|init-)file$/.test(word) ? 2 : 1;
    else {
      isText ||= word.startsWith('-') && word.includes('c');
      // `-o pipefail`, `-O extglob`; in `-oautocd` zsh reads the option's name, and bash further options.
      if (/o./i.test(word)) return null;
      at += /o$/i.test(word) ? 2 : 1;
    }
  }
}

function withRecorderInText(text: string, recorderFile: string): string {
  // The text uses the variable: its value, its length, or other variables by its name.
  if (/\$\{?[#!]?NODE_OPTIONS/.test(text)) return text;
  // Escaped and not quoted: a shell that is called inside the text reads it the same way.
  const option = `${requireOption(recorderFile)} `.replaceAll(/[^\w/.-]/g, String.raw`\$&`);
  return new Scan(text).found.reduceRight((done, at) => done.slice(0, at) + option + done.slice(at), text);
}

/** What the next word may be: anything at a command's start, another command after `exec`, a variable after `env`. */
type Place = 'start' | 'assigned' | 'exec' | 'env' | 'export' | 'argument';

/** Limit for nested commands: each level is a recursive call. */
const MAX_DEPTH = 50;

/**
 * Finds where a text for a POSIX shell sets NODE_OPTIONS (before a command, after `env`, or by `export`). It reads up to
 * the first construct that is not understood (here-documents, `case`, `[[`, arithmetic, backquotes), which cannot change
 * the meaning of what comes before it.
 */
class Scan {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** The places right after the `=`, ascending. */
  readonly found: number[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#readCommands('');
  }

  /** Reads up to and including `end` (`)`, or the end of the text). False where something was not understood. */
  #readCommands(end: string): boolean {
    this.#depth += 1;
    const isRead = this.#depth <= MAX_DEPTH && this.#readLevel(end);
    this.#depth -= 1;
    return isRead;
  }

  #readLevel(end: string): boolean {
    const text = this.#text;
    let place: Place = 'start';
    while (this.#at < text.length) {
      const rest = text.slice(this.#at, this.#at + 2);
      const [char = ''] = rest;
      if (rest === '\\\n') this.#at += 2;
      else if (char === ' ' || char === '\t') this.#at += 1;
      else if (char === ')') {
        this.#at += 1;
        return end === ')';
      } else if (char === '#') this.#at = this.#endOfLine();
      else if (char === '(') {
        if (rest === '((' || !this.#readParentheses(place)) return false;
        place = rest === '()' ? 'start' : 'argument';
      } else if (char === '<' || char === '>') {
        if (!this.#readRedirection()) return false;
      } else if (/[;&|\n]/.test(char)) {
        if (rest === '&>' || rest === ';;') return false;
        this.#at += 1;
        place = 'start';
      } else {
        const next = this.#readPlacedWord(place);
        if (next === null) return false;
        place = next;
      }
    }
    return end === '';
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end < 0 ? this.#text.length : end;
  }

  /** A subshell, or the `()` of a function. */
  #readParentheses(place: Place): boolean {
    const isFunction = this.#text.startsWith('()', this.#at);
    if (!isFunction && place !== 'start') return false;
    this.#at += isFunction ? 2 : 1;
    return isFunction || this.#readCommands(')');
  }

  #readRedirection(): boolean {
    const [operator = ''] = /^[<>]+[&|]?[ \t]*/.exec(this.#text.slice(this.#at)) ?? [];
    if (operator.startsWith('<<')) return false;
    this.#at += operator.length;
    return this.#readWord();
  }

  /** Reads a word and returns what the word after it may be; null where it is not understood. */
  #readPlacedWord(place: Place): Place | null {
    const begin = this.#at;
    const [setting] = /^\w+=/.exec(this.#text.slice(begin)) ?? [];
    if (!this.#readWord()) return null;
    if (setting !== undefined && place !== 'argument' && place !== 'exec') {
      const value = begin + setting.length;
      if (setting === 'NODE_OPTIONS=' && this.#text[value] !== '~') this.found.push(value);
      return place === 'start' ? 'assigned' : place;
    }
    const word = this.#text.slice(begin, this.#at);
    if (word === 'time') this.#at += timeOptions.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
    return afterWord(word, place);
  }

  /** Reads up to the end of a word, which has at least one character. */
  #readWord(): boolean {
    const text = this.#text;
    const begin = this.#at;
    while (this.#at < text.length && !/[\s;&|()<>]/.test(text.charAt(this.#at)))
      if (!this.#readPiece(false)) return false;
    // `name=(…)` is an array of bash.
    return this.#at > begin && !(text[this.#at] === '(' && text[this.#at - 1] === '=');
  }

  /** Reads one character, or what is quoted, escaped or substituted in its place. */
  #readPiece(isQuoted: boolean): boolean {
    const [text, at] = [this.#text, this.#at];
    const char = text.charAt(at);
    if (char === '`') return false;
    if (char === '\\') {
      this.#at += 2;
      return true;
    }
    if (char === '$') return this.#readSubstitution(isQuoted);
    this.#at += 1;
    if (isQuoted) return true;
    if (char === "'") {
      this.#at = text.indexOf("'", at + 1) + 1;
      return this.#at > 0;
    }
    if (char !== '"') return true;
    while (this.#at < text.length && text[this.#at] !== '"') if (!this.#readPiece(true)) return false;
    this.#at += 1;
    return this.#at <= text.length;
  }

  #readSubstitution(isQuoted: boolean): boolean {
    const rest = this.#text.slice(this.#at);
    if (/^\$(?:\[|\(\()/.test(rest) || (!isQuoted && /^\$['"]/.test(rest))) return false;
    if (rest.startsWith('$(')) {
      this.#at += 2;
      return this.#readCommands(')');
    }
    const [name = '$'] = /^\$\{[^'"`\\$}]*\}/.exec(rest) ?? [];
    this.#at += name.length;
    return name !== '$' || !rest.startsWith('${');
  }
}

/** Options of bash's `time` before a pipeline. */
const timeOptions = /^(?:[ \t]+-p)?(?:[ \t]+--)?(?=\s)/;

function afterWord(word: string, place: Place): Place | null {
  if (place === 'start') {
    if (/^(?:if|then|else|elif|do|while|until|time|!|\{)$/.test(word)) return 'start';
    if (/^(?:case|function|coproc|\[\[)$/.test(word)) return null;
  }
  if (place === 'export') return word.startsWith('-') ? 'argument' : 'export';
  if (place === 'argument' || place === 'env') return 'argument';
  if (word === 'env' || word === 'exec') return word;
  return word === 'export' && place !== 'exec' ? 'export' : 'argument';
}

/**
 * The option by which Node loads the recorder, for NODE_OPTIONS. There a value with blanks needs double quotes, in which
 * a backslash escapes. Other values get no quotes, which Node before 12 and some tools take for a part of the name.
 */
export function requireOption(file: string): string {
  return /[\s"]/.test(file) ? `--require "${escaped(file)}"` : `--require ${file}`;
}

/** NODE_OPTIONS with the recorder required last; unchanged where it contains the recorder already. */
export function withRecorder(nodeOptions: string | undefined, recorderFile: string): string {
  const given = (nodeOptions ?? '').trim();
  if (given.includes(recorderFile) || given.includes(escaped(recorderFile))) return given;
  return `${given} ${requireOption(recorderFile)}`.trim();
}

/** NODE_OPTIONS as it was before `withRecorder`. */
export function withoutRecorder(nodeOptions: string, recorderFile: string): string {
  return nodeOptions.replace(requireOption(recorderFile), '').trim();
}

/** Whether a variable of an environment has this name, which only Windows may write in other letters (`Path`). */
export function isNamed(variable: string, name: string): boolean {
  return (process.platform === 'win32' ? variable.toUpperCase() : variable) === name;
}

function escaped(file: string): string {
  return file.replaceAll(/["\\]/g, String.raw`\$&`);
}
