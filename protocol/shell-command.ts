import { requireOption } from './node-options.ts';

/**
 * The words of `sh -c TEXT`, program first, with the recorder in each NODE_OPTIONS that TEXT sets anew
 * (`NODE_OPTIONS=--experimental-vm-modules jest`, as npm scripts have it). Null where there is nothing to change: another
 * program, none set, the value before is in it, or it stands inside quotes.
 */
export function reachedThroughShell(words: readonly string[], recorderFile: string): readonly string[] | null {
  const [program = '', ...options] = words;
  const at = /(^|[\\/])(ba|da|z|k|a)?sh$/.test(program) ? options.findIndex((option) => /^-\w*c$/.test(option)) : -1;
  if (at < 0) return null;
  const place = words.indexOf('--', at + 2) === at + 2 ? at + 3 : at + 2;
  const text = words[place] ?? '';
  const reached = withRecorderInText(text, recorderFile);
  return reached === text ? null : words.with(place, reached);
}

function withRecorderInText(text: string, recorderFile: string): string {
  if (/\$\{?NODE_OPTIONS/.test(text)) return text;
  // Escaped and not quoted: a shell inside the text reads the same.
  const option = `${requireOption(recorderFile)} `.replaceAll(/[^\w/.-]/g, String.raw`\$&`);
  return text.replaceAll(setsOptions, (setting: string, at: number) =>
    isQuoted(text.slice(0, at)) ? setting : setting + option,
  );
}

/** At the start of a command, behind other variables. */
const setsOptions =
  /(?:^|[;&|(]|\s(?:then|do|else)\s)\s*(?:(?:export|env|exec)\s+)*(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"';&|])*\s+)*NODE_OPTIONS=/g;

/** An open quote comes before. An apostrophe inside quotes passes for one too. */
function isQuoted(before: string): boolean {
  return ['"', "'"].some((quote) => before.split(quote).length % 2 === 0);
}
