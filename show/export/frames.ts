import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { metaNodes } from '../../engine/read/samples/call-tree.ts';

/** Texts as they leave: unchanged, or without what nobody else should see. */
export interface ExportTexts {
  readonly name: (text: string) => string;
  /** A path or a url. */
  readonly place: (text: string) => string;
  readonly route: (text: string) => string;
  /** What was run; null where that stays here. */
  readonly title: string | null;
}

/** What other tools show of a function. */
export interface ExportFrame {
  readonly name: string;
  /** Path, or the url of code that is in no file; `''` for native code. */
  readonly file: string;
  /** From 1; 0 where it is unknown. */
  readonly line: number;
}

/** The frames by function id; last the two of time outside of functions. */
export function exportFrames({ functions: { functions } }: Analysis, texts: ExportTexts): readonly ExportFrame[] {
  const frameOf = ({ label, path, url, line }: FunctionInfo): ExportFrame => {
    const file = path ?? url;
    return {
      name: texts.name(label === '' ? '(anonymous)' : label),
      file: texts.place(file),
      line: Math.max(0, line + 1),
    };
  };
  const outside = ['(program)', '(garbage collector)'].map((name): ExportFrame => ({ name, file: '', line: 0 }));
  return [...functions.map(frameOf), ...outside];
}

/** Indices of the frames of a stack, the innermost first. */
export function framesOf(
  { streams, functions: { functions } }: Analysis,
  stream: number,
  node: number,
): readonly number[] {
  const { parent, functionId } = streams[stream]?.tree ?? {};
  const stack: number[] = [];
  for (let at = node; at > metaNodes.gc; at = parent?.[at] ?? 0) stack.push(functionId?.[at] ?? 0);
  if (node === metaNodes.gc) return [functions.length + 1];
  return stack.length === 0 ? [functions.length] : stack;
}
