import { readFileSync, writeFileSync } from 'node:fs';
import { isNightly } from './figure.mjs';
import { projectFile } from '../test/helpers/project.ts';

/** Puts lines between the comments `<!-- begin -->` and `<!-- end -->` of a file, unless `npm run nightly` measures. */
export function replaceBetween(name: string, [begin, end]: readonly [string, string], lines: readonly string[]): void {
  if (isNightly) return;
  const file = projectFile(name);
  const [before = '', , after = ''] = readFileSync(file, 'utf8').split(new RegExp(`<!-- (?:${begin}|${end}) -->`));
  writeFileSync(file, `${before}<!-- ${begin} -->\n\n${lines.join('\n')}\n\n<!-- ${end} -->${after}`);
}
