import type { Warning } from '../../engine/warning.ts';
import { doubtTexts } from './doubt-texts.ts';
import { fileTexts } from './file-texts.ts';
import { programTexts } from './program-texts.ts';
import { sourceMapTexts } from './source-map-texts.ts';
import { sourceTexts } from './source-texts.ts';

/** What is wrong and what to do, in one or more whole sentences. */
export function warningText(warning: Warning): string {
  return textOf(warning.type, warning);
}

type ByType = { readonly [One in Warning as One['type']]: One };

/** TypeScript sees that the text fits the warning only if the type of the warning is a parameter of its own. */
function textOf<Type extends keyof ByType>(type: Type, warning: ByType[Type]): string {
  const texts: { readonly [One in keyof ByType]: (warning: ByType[One]) => string } = {
    ...sourceTexts,
    ...fileTexts,
    ...programTexts,
    ...sourceMapTexts,
    ...doubtTexts,
  };
  return texts[type](warning);
}
