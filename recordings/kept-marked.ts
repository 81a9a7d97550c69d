import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { markedBeforeFile } from '../protocol/recording.ts';
import { writeWhole } from './private-files.ts';

/** A function as two runs know it. Its number differs between them, and many functions have no name but a label. */
export interface MarkedFunction {
  readonly path: string;
  readonly label: string;
}

/**
 * Functions that were marked in the run before a recording, kept beside it; null where none were kept, or they cannot
 * be read.
 */
export async function readMarkedBefore(recording: string): Promise<readonly MarkedFunction[] | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(recording, markedBeforeFile), 'utf8'));
    return Array.isArray(value) ? value.filter(isMarkedFunction) : null;
  } catch {
    return null; // The recording was never opened, or is no folder.
  }
}

/**
 * Keeps the marked functions. Where that fails (a full disk, a recording that is deleted), a reload loses the marks
 * that only stay from the run before.
 */
export async function keepMarkedBefore(recording: string, marked: readonly MarkedFunction[]): Promise<void> {
  await writeWhole(path.join(recording, markedBeforeFile), JSON.stringify(marked)).catch(() => undefined);
}

function isMarkedFunction(value: unknown): value is MarkedFunction {
  if (typeof value !== 'object' || value === null) return false;
  const { path: file, label }: { readonly path?: unknown; readonly label?: unknown } = value;
  return typeof file === 'string' && typeof label === 'string';
}
