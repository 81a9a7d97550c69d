import pico from 'picocolors';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { stripVTControlCharacters } from 'node:util';

/** Where results and Hotspan's own messages go. All text that is written through it was made plain before. */
export interface Terminal {
  /** Takes results. */
  readonly out: Output;
  /** Takes our own messages, and progress. */
  readonly err: Output;
}

export interface Output {
  readonly write: (text: string) => void;
  /** Writes one text after the other, no faster than the reader reads: text that waits to be read takes memory. */
  readonly writeAll: (texts: AsyncIterable<string>) => Promise<void>;
  /** True where progress that replaces itself may be shown: at a terminal that can do that. */
  readonly isTerminal: boolean;
  /** How many characters a line has; Infinity where nobody knows, as in a file. It changes with the window. */
  readonly columns: number;
  readonly colors: Colors;
}

/** Colours as in picocolors: each function gives its text unchanged where colours are off. */
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
  return {
    write: (text) => void stream.write(text),
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

/**
 * Whether to use colours, decided as Node does: by FORCE_COLOR, then by NO_COLOR, then by whether the terminal supports
 * them.
 */
function hasColors(isTerminal: boolean, { FORCE_COLOR, NO_COLOR }: NodeJS.ProcessEnv): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return isTerminal;
}

/**
 * Shows a line that replaces itself; nothing where there is no terminal. It does so by spaces, because NO_COLOR asks for
 * a terminal without escape sequences.
 */
export function showProgress({ write, isTerminal, columns }: Output, text: string): void {
  if (!isTerminal) return;
  const width = (columns === Infinity ? usualColumns : columns) - 1;
  write(`\r${text.slice(0, width).padEnd(width)}\r${text.slice(0, width)}`);
}

const usualColumns = 80;

/** A text about how far the reading of a recording is. */
export function readingText({ done, total, percent }: Progress): string {
  return `Reading file ${Math.min(done + 1, total)} of ${total}: ${percent} % …`;
}

/**
 * Text from somebody else (names, paths and sources in a recording) as one line that a terminal shows and never obeys:
 * without escape sequences, and with hidden characters spelled out.
 */
export function plainText(text: string): string {
  return visible(stripVTControlCharacters(text));
}
