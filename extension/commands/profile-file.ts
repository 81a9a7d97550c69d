import path from 'node:path';
import { Range, Uri, window } from 'vscode';
import { type ShownTest, onlyTest } from '../../recorder/launch/targets/only-test.ts';
import { canRun } from '../run/can-run.ts';
import { targetOfFile } from '../run/targets.ts';
import { showFailure } from '../ui/failures.ts';
import type { CommandHost } from './command-host.ts';

/** The tests of a test file, with its runner; any other file by itself. From the Test Explorer: the test or suite that was chosen alone. */
export async function profileFile({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const file = fileOf(argument) ?? window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file') return showFailure('Open the file that you want to profile first.', services.log);
  const found = await targetOfFile(file);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const test = testOf(argument, path.basename(file.fsPath));
  return runs.start((test === null ? null : onlyTest(found.target, test)) ?? found.target);
}

/** What the Test Explorer shows below a file; null for a file, and for what is none of its items. */
function testOf(argument: unknown, fileName: string): ShownTest | null {
  const item = itemIn(argument, fileName);
  if (item === null) return null;
  const { label, parent, children } = item;
  const size = typeof children === 'object' && children !== null && 'size' in children ? children.size : 0;
  return { name: label, suites: suitesOf(parent, fileName), isSuite: typeof size === 'number' && size > 0 };
}

/** Outermost first. */
function suitesOf(parent: unknown, fileName: string): readonly string[] {
  const item = itemIn(parent, fileName);
  return item === null ? [] : [...suitesOf(item.parent, fileName), item.label];
}

interface ItemInFile {
  readonly label: string;
  readonly parent: unknown;
  readonly children: unknown;
}

/** A test or a suite: it has a place in its file. */
function itemIn(argument: unknown, fileName: string): ItemInFile | null {
  if (typeof argument !== 'object' || argument === null) return null;
  const { label, range, parent, children }: { readonly [key in 'label' | 'range' | 'parent' | 'children']?: unknown } =
    argument;
  if (typeof label !== 'string' || label === fileName || !(range instanceof Range)) return null;
  return { label, parent, children };
}

/** Of an editor's title a uri, of the Test Explorer one of its items. Undefined where it was neither. */
function fileOf(argument: unknown): Uri | undefined {
  if (argument instanceof Uri) return argument;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri }: { readonly uri?: unknown } = argument;
  return uri instanceof Uri ? uri : undefined;
}
