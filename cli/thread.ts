import { parentPort } from 'node:worker_threads';
import { DecodedFiles } from '../engine/read/isolates/decoded-files.ts';
import { IndexedTexts } from '../engine/read/source-code/source-indexes.ts';
import { diskWorld } from '../recordings/disk-world.ts';
import type { FromThread, ToThread } from './commands/reading-thread.ts';
import { keepCompiledCode } from './v8-flags.ts';
import { outputOf } from './views/terminal.ts';

keepCompiledCode(process);
const known = { texts: new IndexedTexts(diskWorld.keptIndexes), decoded: new DecodedFiles() };
parentPort?.on('message', (asked: ToThread) => void answer(asked));

async function answer(asked: ToThread): Promise<void> {
  const { listHotspots, readAhead } = await import('./commands/analyze.ts');
  const { directory, cwd } = asked;
  if (asked.type === 'readAhead') {
    await readAhead(directory, cwd, known);
    say({ type: 'done' });
    return;
  }
  const { isTerminal: isTTY, columns } = asked;
  const stream = { isTTY, columns, write: (text: string) => say({ type: 'text', text }), once: () => {} };
  say({ type: 'listed', found: await listHotspots(directory, outputOf(stream, process.env), cwd, known) });
  parentPort?.close(); // The command ends when this thread does.
}

function say(said: FromThread): void {
  parentPort?.postMessage(said, []);
}
