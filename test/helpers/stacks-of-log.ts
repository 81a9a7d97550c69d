import { v8LogImporter } from '../../engine/read/import/v8-log-importer.ts';
import { openFile } from '../../engine/read/files/opened-file.ts';
import type { CpuProfile } from '../../engine/read/samples/cpu-profile.ts';
import { memoryWorld } from './memory-world.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

/** What is read of a log; `files` lie beside it. Throws where there is no profile in it. */
export async function readLog(
  log: string | Uint8Array,
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly profile: CpuProfile; readonly warnings: readonly string[] }> {
  const bytes = typeof log === 'string' ? new TextEncoder().encode(log) : log;
  const world = memoryWorld({ ...files, '/log/a.v8.log': bytes });
  const file = await openFile('/log/a.v8.log', world);
  if (file === undefined) throw new Error('no file');
  const loaded = await v8LogImporter.read(file, { world, plain: null, signal: undefined });
  if (loaded.type !== 'profile') throw new Error('warning' in loaded ? warningText(loaded.warning) : loaded.type);
  return { ...loaded, warnings: loaded.warnings.map(warningText) };
}

/**
 * The stack of each tick, outermost first: `main~3 add*5`, its marker and its line behind the name; `i` for inlined, `o` for
 * OSR in front of the marker, no line where it is not known.
 */
export async function stacksOfLog(
  log: string,
  files: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { profile } = await readLog(log, files);
  const { parent, frame, frames, tiered } = profile;
  return Array.from(profile.nodes, (leaf) => {
    const stack: string[] = [];
    for (let node = leaf; node >= 0; node = parent[node] ?? -1) {
      const name = frames[frame[node] ?? 0]?.functionName ?? '?';
      const how = `${tiered?.inlined[node] === 1 ? 'i' : ''}${tiered?.osr[node] === 1 ? 'o' : ''}`;
      const line = tiered?.line[node] ?? 0;
      stack.unshift(`${name}${how}${['', '~', '^', '+', '*'][tiered?.tier[node] ?? 0] ?? ''}${line > 0 ? line : ''}`);
    }
    return stack.join(' ');
  });
}
