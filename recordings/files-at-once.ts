/*
 * Functions of `node:fs/promises` that this thread does before they return. Loading that module takes 6 ms of CPU time, and
 * its functions wait for another thread, though nothing else is to do before and after a recorded command. A failure
 * rejects the promise with the system's error. An editor's process uses `node:fs/promises`.
 */
import { hasCode } from '../protocol/failure.ts';
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

export const chmod = atOnce(chmodSync);
export const rename = atOnce(renameSync);
export const rmdir = atOnce((folder: string) => rmdirSync(folder));
export const unlink = atOnce((file: string) => unlinkSync(file));
/** Deletes a file, if it is there. Not by `rmSync`, which ends Node.js 23 and 24 on Windows where a path is not ASCII. */
export const remove = atOnce((file: string) => {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
});
export const utimes = atOnce(utimesSync);
export const writeFile = atOnce(writeFileSync);
export const readdir = atOnce((folder: string): readonly string[] => readdirSync(folder));
export const readFile = atOnce((file: string): Buffer => readFileSync(file));
export const readText = atOnce((file: string): string => readFileSync(file, 'utf8'));
export const stat = atOnce((file: string): Stats => statSync(file));
export const lstat = atOnce((file: string): Stats => lstatSync(file));

/** `how` is `appending` (private-files.ts). */
export async function appendFile(
  file: string,
  text: string,
  how: { readonly flag: number; readonly mode: number },
): Promise<void> {
  const descriptor = openSync(file, how.flag, how.mode);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

function atOnce<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Promise<Result> {
  return async (...args) => work(...args);
}
