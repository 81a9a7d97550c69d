import { fileWarnings } from './file-warnings.ts';
import { programWarnings } from './program-warnings.ts';
import { recordingWarnings } from './recording-warnings.ts';
import type { WarningOf } from './warning-of.ts';

const tables = { ...recordingWarnings, ...fileWarnings, ...programWarnings };

/** What was damaged, dropped or lost in a result, and what to doubt. */
export type Warning<Type extends keyof typeof tables = keyof typeof tables> = WarningOf<typeof tables, Type>;

type ByType = { readonly [One in keyof typeof tables]: Warning<One> };

/** What is wrong and what to do, in one or more whole sentences. */
export function warningText(warning: Warning): string {
  return textOf(warning.type, warning);
}

/** TypeScript sees that the text fits the warning only if the type of the warning is a parameter of its own. */
function textOf<Type extends keyof ByType>(type: Type, warning: ByType[Type]): string {
  const texts: { readonly [One in keyof ByType]: (warning: ByType[One]) => string } = tables;
  return texts[type](warning);
}
