import type { Column0, Line0 } from '../../protocol/units.ts';
import type { Frame } from '../samples/frame-table.ts';
import { firstDifference, compareTexts } from '../basics/compare.ts';

/** All functions of an analysis, over all its isolates. A function's id is its index. */
export interface FunctionTable {
  readonly functions: readonly FunctionInfo[];
  /** Call frames as the profiles have them; several can be one function (transformed twice, bundled twice). */
  readonly frames: readonly Frame[];
}

/** One function: one (url, line, column, name), after source mapping; several processes and scripts share it. */
export interface FunctionInfo {
  readonly id: number;
  /** The map's original name, else exactly V8's; `''` when anonymous. */
  readonly name: string;
  /** For people: the name, or what the source tells of an anonymous function. */
  readonly label: string;
  /** The original's where a source map says so, else as in the profile; `''` for native functions. */
  readonly url: string;
  /** −1 for native functions, for the body of a bundle of several sources, and where what ran is another text than the file's. */
  readonly line: Line0;
  readonly column: Column0;
  /** Where it was in the text that ran, when that is another place. */
  readonly generated: GeneratedPosition | null;
  /** Decoded path of the file that `url` names; null where it names none (`node:`, `[eval]`, native). */
  readonly path: string | null;
  readonly kind: FunctionKind;
  /** Dependency that the file belongs to: what follows its last `/node_modules/`; null for other files. */
  readonly packageName: string | null;
  /** In the workspace and outside `node_modules`. */
  readonly own: boolean;
  /** Of an own file; `built` where a tool made it and no source map says of what. Null for others. */
  readonly role: 'app' | 'test' | 'built' | null;
  /** It is a whole module. */
  readonly moduleBody: boolean;
  /** Its file was deleted before the program had ended, without a source map of it. */
  readonly gone: boolean;
  /** It finds, reads, transforms or evaluates modules. */
  readonly loader: boolean;
}

export interface GeneratedPosition {
  readonly url: string;
  readonly line: Line0;
  readonly column: Column0;
}

/** A whole script made of several sources: its lines are theirs. */
export function isBundleBody({ moduleBody, line }: FunctionInfo): boolean {
  return moduleBody && line < 0;
}

/** `own` and `dependency` also cover loaders; `runner` is a test runner's file; `other` has a url outside all of these. */
export type FunctionKind = 'own' | 'dependency' | 'runner' | 'node' | 'native' | 'other';

/** The order that settles ties: by url, line, column, name. Negative where `a` comes first. */
export function compareFunctions(a: FunctionInfo, b: FunctionInfo): number {
  return firstDifference(
    compareTexts(a.url, b.url),
    a.line - b.line,
    a.column - b.column,
    compareTexts(a.name, b.name),
  );
}
