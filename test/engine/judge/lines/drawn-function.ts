import type { FunctionInfo } from '../../../../engine/read/functions/function-table.ts';
import { column0, line0 } from '../../../../protocol/units.ts';

interface Drawn extends Partial<Omit<FunctionInfo, 'line' | 'column'>> {
  /** Lines and columns from 0. */
  readonly line?: number;
  readonly column?: number;
}

/** A function of the app's own code, but for what is given. */
export function functionInfo({ line = 0, column = 0, name = '', ...given }: Drawn): FunctionInfo {
  const url = given.url ?? '/app/src/rules.js';
  return {
    id: 0,
    name,
    label: name,
    url,
    line: line0(line),
    column: column0(column),
    generated: null,
    path: url.startsWith('/') ? url : null,
    kind: 'own',
    packageName: null,
    own: true,
    role: 'app',
    moduleBody: false,
    byName: false,
    gone: false,
    loader: false,
    ...given,
  };
}
