import type { Location } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import type { ExtensionContext } from 'vscode';
import type { Flamegraph } from '../flamegraph/flamegraph.ts';
import type { Runs } from '../run/runs.ts';
import type { Services } from '../results/services.ts';

/** What a command may use; the arguments that VS Code gives it are from anywhere, hence `unknown`. */
export interface CommandHost {
  readonly context: ExtensionContext;
  readonly services: Services;
  readonly runs: Runs;
  readonly flamegraph: Flamegraph;
}

/** Which function a lens, a hover's link or a tree row is about: by number, so that no name of a profile is ever run. */
export interface FunctionReference {
  readonly recording: string;
  readonly functionId: number;
  /** Of a hover's link to where V8 threw code of the function away. */
  readonly deopt?: number;
}

/** What a command was called with, if it is a reference: from a lens as such, from the tree inside the row. */
export function functionReferenceOf(argument: unknown): FunctionReference | null {
  if (!isObject(argument)) return null;
  const { recording } = argument;
  const item = argument['item'];
  const functionId = isObject(item) ? item['functionId'] : argument['functionId'];
  if (typeof recording !== 'string' || typeof functionId !== 'number') return null;
  if (!Number.isInteger(functionId) || functionId < 0) return null;
  const { deopt } = argument;
  return typeof deopt === 'number' && Number.isInteger(deopt) && deopt >= 0
    ? { recording, functionId, deopt }
    : { recording, functionId };
}

/** The place that a row of the tree without a function leads to: a module. */
export function locationOf(argument: unknown): Location | null {
  const item = isObject(argument) ? argument['item'] : undefined;
  const location = isObject(item) ? item['location'] : undefined;
  if (!isObject(location)) return null;
  const { uri, line, character, inside } = location;
  if (typeof uri !== 'string' || typeof line !== 'number' || typeof character !== 'number') return null;
  return { uri, line: line0(line), character, inside: inside === true };
}

interface Fields {
  readonly [key: string]: unknown;
  readonly recording?: unknown;
  readonly deopt?: unknown;
  readonly uri?: unknown;
  readonly line?: unknown;
  readonly character?: unknown;
  readonly inside?: unknown;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
