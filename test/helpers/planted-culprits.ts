import { readdirSync, readFileSync } from 'node:fs';
import type { FindingCauseKind } from '../../protocol/report-findings.ts';
import { projectFile } from './project.ts';
import type { Files } from './temporary-repository.ts';

/** What is slow in a program of test/fixtures/planted: its line, or that of its function, is marked `// PLANTED`. */
export interface PlantedCulprit {
  /** Label of the function. */
  readonly name: string;
  readonly cause: FindingCauseKind;
  /** In what the verdict says of the cause. */
  readonly words: string;
}

/** By the name of the program. */
export const plantedCulprits = {
  regex: { name: 'isAddress', cause: 'regex', words: 'all of it in a regular expression' },
  json: { name: 'remember', cause: 'json', words: 'all of it in JSON' },
  sort: { name: 'byName', cause: 'sort', words: 'in sorting' },
  'read-files': { name: 'template', cause: 'syncCall', words: 'in the synchronous readFileSync' },
  command: { name: 'revision', cause: 'waiting', words: 'waiting in execSync' },
  password: { name: 'keyOf', cause: 'syncCall', words: 'all of it in the synchronous pbkdf2Sync' },
  package: { name: 'suggest', cause: 'package', words: 'in the package fuzzy-names' },
  recursion: { name: 'ways', cause: 'recursion', words: 'it calls itself' },
  allocation: { name: 'movements', cause: 'allocation', words: 'it makes much garbage' },
  wait: { name: 'acquire', cause: 'waiting', words: 'all of it waiting in Atomics.wait' },
  'many-calls': { name: 'isHoliday', cause: 'manyCalls', words: 'its calls in a loop of deliveryDays' },
  loop: { name: 'twins', cause: 'loop', words: 'its own loop' },
  text: { name: 'exportLines', cause: 'loop', words: 'its own loop' },
  copies: { name: 'indexed', cause: 'allocation', words: 'it copies all that came before, again and again' },
  formats: { name: 'price', cause: 'manyCalls', words: 'its calls in a loop of map() callback in priceList' },
  hash: { name: 'fingerprint', cause: 'syncCall', words: 'all of it in update of Node' },
  buffers: { name: 'body', cause: 'allocation', words: 'it copies all that came before, again and again' },
  helpers: { name: 'invoiceLine + 6 others', cause: 'manyCalls', words: 'many short calls' },
  turns: { name: 'parse + 3 others', cause: 'recursion', words: 'in turns with' },
  logging: { name: 'log', cause: 'syncCall', words: 'in inspect of Node' },
} as const satisfies Readonly<Record<string, PlantedCulprit>>;

const folder = 'test/fixtures/planted';

/** The programs, with the package that one of them uses where it would be installed. */
export function plantedPrograms(): Files {
  const names = readdirSync(projectFile(folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const placed = (name: string): string => name.replace(/^packages\b/, 'node_modules');
  return Object.fromEntries(names.map((name) => [placed(name), readFileSync(projectFile(folder, name), 'utf8')]));
}
