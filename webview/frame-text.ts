import { visible } from '../words/formats/hidden-characters.ts';
import type { FlameFrame } from '../protocol/flame.ts';
import { duration, firstTimeFigures, lineFigures, withLine } from '../words/formats/figures.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import type { FlameColors } from '../protocol/webview.ts';
import { paintText } from './paint.ts';
import { share } from './share.ts';

/** The name on the frame. The root has no name of its own. */
export function frameName(frame: FlameFrame): string {
  if (frame.id === '') return 'All';
  return visible(frame.name === '' ? '(anonymous)' : frame.name, 200);
}

/**
 * The place of a frame: `src/catalogue.js:12` below the folder, with the folder's name in front where there are
 * several; `src/a.js (line unknown)`; `node:fs:42`; `''` where there is no file. Long paths keep their end.
 */
export function framePlace(frame: FlameFrame, folders: readonly string[]): string {
  if (frame.url === '') return '';
  const whole = decoded(frame.url);
  const folder = folders.map((path) => `${decoded(path)}/`).find((start) => whole.startsWith(start)) ?? '';
  const start = folders.length > 1 ? folder.lastIndexOf('/', folder.length - 2) + 1 : folder.length;
  const path = visible(clipStart(whole.slice(start), 120), 500);
  return frame.line > 0 || isFile.test(frame.url) ? withLine(path, frame.line) : path;
}

const isFile = /^(file:|\/|[a-z]:[/\\])/i;

/** The figures of its function as a culprit, in the words of every surface; `''` where it is none. */
export function frameFigures({ figures, firstTime }: FlameFrame, thresholdUs: Microseconds): string {
  if (figures === undefined) return '';
  const text = firstTime === undefined ? lineFigures(figures, thresholdUs) : firstTimeFigures(figures, firstTime);
  return visible(text, 300);
}

/** Whether there is a file to open: Node's own modules and native functions have none. */
export function hasSource(frame: FlameFrame): boolean {
  return frame.url !== '' && !frame.url.startsWith('node:') && frame.line > 0;
}

/** One sentence for a screen reader. */
export function frameSentence(
  frame: FlameFrame,
  totalUs: number,
  folders: readonly string[],
  colors: FlameColors = 'category',
): string {
  const parts = [
    frameName(frame),
    `${duration(microseconds(frame.value))} total, ${share(frame.value, totalUs)}`,
    `${duration(frame.selfUs)} self`,
    ...(frame.id === '' ? [] : [paintText(frame, colors)]),
    framePlace(frame, folders),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The path that a `file:` url stands for; any other url unchanged. */
function decoded(url: string): string {
  if (!url.startsWith('file://')) return url;
  const path = url.slice('file://'.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // The url is not percent-encoded.
  }
}

function clipStart(text: string, most: number): string {
  return text.length > most ? `…${text.slice(-most)}` : text;
}
