// Writes the manual page of the command line, man/hotspan.1, of the table of commands.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manPage } from '../cli/manual/man-page.ts';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
mkdirSync(path.join(root, 'man'), { recursive: true });
writeFileSync(path.join(root, 'man/hotspan.1'), manPage(version));
