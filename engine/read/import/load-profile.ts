import { fileNameOf } from '../../../protocol/machine-path.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import { kindOfFile } from '../files/file-kinds.ts';
import { openFile } from '../files/opened-file.ts';
import { chromeTraceImporter } from './chrome-trace-importer.ts';
import { cpuProfileImporter } from './cpu-profile-importer.ts';
import type { Imported, Importer, Reading } from './importer.ts';
import { headFormImporter } from './head-form-importer.ts';
import { jsDebugImporter } from './js-debug-importer.ts';
import { v8LogImporter } from './v8-log-importer.ts';

/** Files that are known not to be profiles. */
const otherKinds: Importer = {
  recognizes: ({ name, start }) => kindOfFile(name, start) !== null,
  read: async ({ name, start, close }) => {
    await close();
    return { type: 'unusable', warning: { type: 'otherKind', file: name, kind: kindOfFile(name, start) ?? 'binary' } };
  },
};

/** The first one that recognizes a file reads it, else `cpuProfileImporter`. */
const importers = [chromeTraceImporter, v8LogImporter, headFormImporter, otherKinds, jsDebugImporter];

/** Reads one file. `missing`: it cannot be opened. `onBytes` gets the number of bytes that were read, piece by piece. */
export async function loadProfile(
  path: string,
  reading: Reading,
  onBytes: (count: number) => void,
): Promise<Imported | { readonly type: 'missing'; readonly warning: Warning }> {
  const file = await openFile(path, reading.world, onBytes);
  if (file === undefined) return { type: 'missing', warning: { type: 'fileUnreadable', file: fileNameOf(path) } };
  const importer = importers.find(({ recognizes }) => recognizes(file)) ?? cpuProfileImporter;
  return importer.read(file, reading);
}
