import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord, parseJson, textOf } from '../../../protocol/json-value.ts';
import { eventsFile, textsSuffix } from '../../../protocol/recording.ts';
import { parseEvents } from '../../../protocol/formats/parse-events.ts';

/** The programs and the sampled files outside of `node_modules` of a recorded run, as absolute paths. */
export async function filesOfRun(recording: string): Promise<readonly string[]> {
  const read = async (name: string): Promise<string> => readFile(path.join(recording, name), 'utf8').catch(() => '');
  const { events } = parseEvents(await read(eventsFile));
  const programs = events.flatMap((event) => (event.type === 'start' ? (event.argv[1] ?? []) : []));
  const names = (await readdir(recording).catch(() => [])).filter((name) => name.endsWith(textsSuffix));
  const texts = await Promise.all(names.map(read));
  const lines = texts.flatMap((text) => text.split('\n').map(parseJson));
  const urls = lines.flatMap((line) => (isRecord(line) ? textOf(line['url']) : []));
  return [...programs, ...urls.flatMap(fileIn)].filter((file) => path.isAbsolute(file));
}

function fileIn(url: string): readonly string[] {
  try {
    return url.startsWith('file:') ? [fileURLToPath(url)] : [];
  } catch {
    return []; // A file of another host.
  }
}
