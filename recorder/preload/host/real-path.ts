import { host } from './host.ts';

/**
 * The path without links (`node_modules/.bin/mocha`). The path itself where there is no such file: Node will say so.
 */
export function realPath(file: string): string {
  try {
    return host.realpathSync(file);
  } catch {
    return file;
  }
}
