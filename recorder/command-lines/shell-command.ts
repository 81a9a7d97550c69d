import { requireOption } from './node-options.ts';
import { settingsIn } from './shell-text.ts';

/**
 * The words of `sh -c TEXT`, program first, with the recorder in each NODE_OPTIONS that TEXT sets anew
 * (`NODE_OPTIONS=--experimental-vm-modules jest`, as npm scripts have it). Null where there is nothing to change: another
 * program, a script that is a file, none set, the value before is in it, or it stands inside quotes.
 */
export function reachedThroughShell(words: readonly string[], recorderFile: string): readonly string[] | null {
  const place = /(^|[\\/])(ba|da|z|k|a)?sh$/.test(words[0] ?? '') ? placeOfText(words) : null;
  const text = place === null ? undefined : words[place];
  if (place === null || text === undefined) return null;
  const reached = withRecorderInText(text, recorderFile);
  return reached === text ? null : words.with(place, reached);
}

/**
 * Index of the word with the text: with `-c` among the options it is the first word behind them. Null where that word
 * is a file.
 */
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
  // Its value, its length, another variable by its name.
  if (/\$\{?[#!]?NODE_OPTIONS/.test(text)) return text;
  // Escaped and not quoted: a shell inside the text reads the same.
  const option = `${requireOption(recorderFile)} `.replaceAll(/[^\w/.-]/g, String.raw`\$&`);
  return settingsIn(text).reduceRight((done, at) => done.slice(0, at) + option + done.slice(at), text);
}
