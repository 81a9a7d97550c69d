import pico from 'picocolors';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { stripVTControlCharacters } from 'node:util';
import { columnsOf, startWithin } from './text-width.ts';

/** Where a command runs. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Path of the bundled `dist/recorder.cjs`. */
  readonly recorderFile: string;
  readonly version: string;
}

export interface Terminal {
  /** For results. */
  readonly out: Output;
  /** For Hotspan's own messages, and progress. */
  readonly err: Output;
}

/** A run of a command. */
export interface Session<Options> {
  readonly options: Options;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
}

export interface Output {
  /** Writes text that was made plain before. */
  readonly write: (text: string) => void;
  /** Writes a sentence of Hotspan's own on one line, with foreign names made plain. */
  readonly say: (sentence: string) => void;
  /** Writes texts one after the other, no faster than the reader reads: text that waits to be read takes memory. */
  readonly writeAll: (texts: Iterable<string> | AsyncIterable<string>) => Promise<void>;
  /** Whether progress that replaces itself may be shown. */
  readonly isTerminal: boolean;
  /** Characters in a line; Infinity if unknown, as in a file. Changes with the window. */
  readonly columns: number;
  readonly colors: Colors;
}

/** As in picocolors: each function returns its text unchanged if colors are off. */
export type Colors = Readonly<
  Record<'bold' | 'dim' | 'gray' | 'cyan' | 'yellow' | 'red' | 'green' | 'magenta', (text: string) => string>
>;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
  readonly once: (event: 'drain', listener: () => void) => unknown;
}

export function outputOf(stream: Stream, env: NodeJS.ProcessEnv): Output {
  const isTerminal = stream.isTTY === true && env['TERM'] !== 'dumb';
  const write = (text: string): void => void stream.write(asStarted(text, env));
  return {
    write,
    say: (sentence) => write(`hotspan: ${plainText(sentence)}\n`),
    writeAll: async (texts) => {
      for await (const text of texts) {
        if (stream.write(text) !== false) continue;
        await new Promise<void>((resolve) => {
          stream.once('drain', resolve);
        });
      }
    },
    isTerminal,
    get columns() {
      return stream.isTTY === true && stream.columns !== undefined && stream.columns > 0 ? stream.columns : Infinity;
    },
    colors: pico.createColors(hasColors(isTerminal, env)),
  };
}

/** What a person typed to start this program. */
export function startedAs(env: NodeJS.ProcessEnv): string {
  return env['npm_command'] === 'exec' ? 'npx hotspan' : 'hotspan';
}

/** Commands that are to be copied, which stand in quotes, parentheses or alone, begin as this one did: `npx hotspan`. */
function asStarted(text: string, env: NodeJS.ProcessEnv): string {
  const program = startedAs(env);
  return program === 'hotspan' ? text : text.replaceAll(copied, `${program} `);
}

/** Other words after the name, such as those of a test's title, make no command. */
const copied =
  /(?<=["(]|&& |^ +(?:\w+=\S+ )*)hotspan (?=(?:record|load|analyze|baseline|recheck|make-sure|compare|check|recordings|histogram|export|mcp|language-server|completion|--)(?![\w-]))/gm;

/** As Node decides: by FORCE_COLOR, then by NO_COLOR, then by the terminal. */
function hasColors(isTerminal: boolean, { FORCE_COLOR, NO_COLOR }: NodeJS.ProcessEnv): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return isTerminal;
}

/** Says why a command cannot do its work. Gives its exit code. */
export function refuse({ say }: Output, reason: string): 2 {
  say(reason);
  return 2;
}

/** Says that a person ended a command too soon. Gives its exit code. */
export function sayStopped({ say }: Output): 3 {
  say('It was stopped before there was a verdict.');
  return 3;
}

/**
 * At a terminal, shows a line that replaces the last one. Uses spaces, because NO_COLOR asks for a terminal without escape
 * sequences.
 */
export function showProgress({ write, isTerminal, columns }: Output, text: string): void {
  if (!isTerminal) return;
  const width = (columns === Infinity ? DEFAULT_COLUMNS : columns) - 1;
  const shown = startWithin(text, width);
  write(`\r${shown}${' '.repeat(width - columnsOf(shown))}\r${shown}`);
}

const DEFAULT_COLUMNS = 80;

export function readingText({ done, total, percent }: Progress): string {
  return `Reading file ${Math.min(done + 1, total)} of ${total}: ${percent} % …`;
}

/**
 * Foreign text (names, paths and sources in a recording) as one line that a terminal shows and does not obey: without
 * escape sequences, and with hidden characters spelled out.
 */
export function plainText(text: string): string {
  return visible(stripVTControlCharacters(text));
}

/** How `hotspan record` itself ends. */
export type Ending =
  | { readonly type: 'code'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: NodeJS.Signals };
