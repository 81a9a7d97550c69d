import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { RecordingEvent } from '../../../protocol/recording.ts';
import { eventsFile } from '../../../protocol/recording.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { EventLog } from '../../../recordings/event-log.ts';
import { liveProcesses } from '../../../recordings/event-log.ts';
import { appending } from '../../../recordings/make-folders.ts';

/**
 * Tells of each process that goes on after the command: without an end it would pass for one that was killed. Answers
 * whether there is one.
 */
export async function noteOutliving(events: EventLog, directory: string): Promise<boolean> {
  const at = microseconds(Number(process.hrtime.bigint() / 1000n));
  const lines = liveProcesses(events.read()).map(({ isolate }) => {
    const event: RecordingEvent = { type: 'outlives', isolate, at };
    return `${JSON.stringify(event)}\n`;
  });
  try {
    if (lines.length > 0) await appendFile(path.join(directory, eventsFile), lines.join(''), appending);
  } catch {
    // The disk is full, or the recording was deleted: who reads it will take them for killed.
  }
  return lines.length > 0;
}
