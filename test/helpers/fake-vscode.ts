import { register } from 'node:module';

/** From here on what is imported gets the module `vscode` of the file beside this one: as much as tests without an editor need. */
export function fakeVscode(): void {
  const url = JSON.stringify(new URL('fake-vscode-module.ts', import.meta.url).href);
  const resolve = `export const resolve = async (specifier, context, next) =>
    specifier === 'vscode' ? { url: ${url}, shortCircuit: true } : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(resolve)}`);
}
