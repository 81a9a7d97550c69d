/**
 * Tests draw files below `/repo`. Code that asks the system about paths gets them as they are there: below `C:\repo` on
 * Windows.
 */
const isWindows = process.platform === 'win32';

/** A drawn path, as the system writes it. */
export function onSystem(drawn: string): string {
  return isWindows ? `C:${drawn.replaceAll('/', '\\')}` : drawn;
}

/** A text of the system as tests draw it: `node C:\repo\a.js` is `node /repo/a.js`. */
export function asDrawn(text: string): string {
  return isWindows ? text.replaceAll(/C:(?=\\)/g, '').replaceAll('\\', '/') : text;
}
