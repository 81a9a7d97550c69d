import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { recordingFile } from '../../protocol/recording.ts';
import { type Manifest, parseManifest } from '../../protocol/formats/parse-manifest.ts';

/** How often it is looked whether a process is there, in ms. */
const lookEvery = 40;

/**
 * Resolves as soon as `hotspan record` has ended, with the exit code of the command that it ran: VS Code says that a
 * task has ended a quarter of a second later, when all its output is on screen. Null where only VS Code can say how it
 * ended: the recording has no end, or a signal was it, or it had its end before (it is of another run then). `isOver` ends
 * the waiting.
 */
export async function earlyEnd(processId: number, recording: string, isOver: AbortSignal): Promise<number | null> {
  if ((await endedManifest(recording)) !== null) return null;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (!isOver.aborted && isThere(processId)) return;
      clearInterval(timer);
      resolve();
    }, lookEvery);
  });
  if (isOver.aborted) return null;
  return (await endedManifest(recording))?.exitCode ?? null;
}

/** Null where the recording has no end, or is not there. */
async function endedManifest(recording: string): Promise<Manifest | null> {
  const text = await readFile(path.join(recording, recordingFile), 'utf8').catch(() => '');
  const manifest = parseManifest(text);
  return manifest?.isOpen === false ? manifest : null;
}

function isThere(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // The process of another user is there, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
