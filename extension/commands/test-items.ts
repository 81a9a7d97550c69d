import { Range, Uri } from 'vscode';
import * as v from 'valibot';
import type { FileTest } from '../../protocol/requests.ts';
import type { ShownTest } from '../../recorder/launch/target.ts';

/** The argument of a lens over a test. */
export interface TestOfLens {
  readonly lensUri: string;
  /** Null for the whole file. */
  readonly test: ShownTest | null;
}

/** The test or suite of a lens, or one that was chosen in the Test Explorer; null for a file, and for anything else. */
export function testOf(argument: unknown, fileName: string): ShownTest | null {
  if (isOfLens(argument)) return argument.test;
  const item = itemIn(argument, fileName);
  if (item === null) return null;
  const { label, parent, children } = item;
  const size = typeof children === 'object' && children !== null && 'size' in children ? children.size : 0;
  return {
    name: label,
    suites: suitesOf(parent, fileName),
    isSuite: typeof size === 'number' && size > 0,
    isWhole: false,
    isShared: false,
  };
}

/** What a lens over a test has as its argument. */
export function argumentFor(lensUri: string, { titles, isSuite, isWhole, isShared }: FileTest): TestOfLens {
  const name = titles.at(-1);
  return {
    lensUri,
    test: name === undefined ? null : { name, suites: titles.slice(0, -1), isSuite, isWhole, isShared },
  };
}

/** The line in the argument of the menu of line numbers, which counts from 1; null for anything else. */
export function lineOf(argument: unknown): { readonly uri: Uri; readonly line: number } | null {
  if (typeof argument !== 'object' || argument === null) return null;
  const { uri, lineNumber }: { readonly uri?: unknown; readonly lineNumber?: unknown } = argument;
  return uri instanceof Uri && typeof lineNumber === 'number' ? { uri, line: lineNumber - 1 } : null;
}

function isOfLens(argument: unknown): argument is TestOfLens {
  return v.is(testOfLens, argument);
}

const testOfLens: v.GenericSchema<unknown, TestOfLens> = v.object({
  lensUri: v.string(),
  test: v.nullable(
    v.object({
      name: v.string(),
      suites: v.array(v.string()),
      isSuite: v.boolean(),
      isWhole: v.boolean(),
      isShared: v.boolean(),
    }),
  ),
});

/** Names of the suites around an item, outermost first. */
function suitesOf(parent: unknown, fileName: string): readonly string[] {
  const item = itemIn(parent, fileName);
  return item === null ? [] : [...suitesOf(item.parent, fileName), item.label];
}

interface ItemInFile {
  readonly label: string;
  readonly parent: unknown;
  readonly children: unknown;
}

/** A test or a suite, which is an item with a place in its file; null for anything else. */
function itemIn(argument: unknown, fileName: string): ItemInFile | null {
  if (typeof argument !== 'object' || argument === null) return null;
  const { label, range, parent, children }: { readonly [key in 'label' | 'range' | 'parent' | 'children']?: unknown } =
    argument;
  if (typeof label !== 'string' || label === fileName || !(range instanceof Range)) return null;
  return { label, parent, children };
}

/**
 * The file of an argument: a uri from an editor's title, or a lens over a test, or an item of the Test Explorer. Undefined for
 * anything else.
 */
export function fileOf(argument: unknown): Uri | undefined {
  if (argument instanceof Uri) return argument;
  if (isOfLens(argument)) return Uri.parse(argument.lensUri);
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri }: { readonly uri?: unknown } = argument;
  return uri instanceof Uri ? uri : undefined;
}
