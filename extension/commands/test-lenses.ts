import * as vscode from 'vscode';
import { internalCommands, settings } from '../../protocol/ids.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { type FileTest, testsRequest } from '../../protocol/requests.ts';
import { isTestFile } from '../../protocol/test-files.ts';
import { line0 } from '../../protocol/units.ts';
import type { Services } from '../results/results.ts';
import { testLens } from '../../words/editor/lens-texts.ts';
import { hasTestLenses } from '../ui/settings.ts';
import type { ShownTest } from '../../recorder/launch/target.ts';
import * as v from 'valibot';

/** Lenses that profile one test or suite. The server parses the file; the first open test file starts the server. */
export function activateTestLenses({ server }: Pick<Services, 'server'>): readonly vscode.Disposable[] {
  const changed = new vscode.EventEmitter<void>();
  const shown = new WeakMap<vscode.TextDocument, ShownTests>();
  const selector = testLanguages.map((language) => ({ scheme: 'file', language }));
  return [
    changed,
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) => {
        if (!vscode.workspace.isTrusted || !hasTestLenses() || !isTest(document)) return [];
        const uri = document.uri.toString();
        const lines = document.getText().split(/\r?\n/);
        const found = await server.ask(testsRequest, { uri });
        const tests = found ?? testsNow(shown.get(document), lines);
        if (found !== null) shown.set(document, { tests: found, lines });
        return tests.map((test) => lensOf(uri, test));
      },
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.testLenses)) changed.fire();
    }),
  ];
}

const testLanguages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Whether *Profile File* would run the document with a test runner. */
function isTest({ uri }: vscode.TextDocument): boolean {
  return (
    vscode.workspace.getWorkspaceFolder(uri) !== undefined && isTestFile(vscode.workspace.asRelativePath(uri, false))
  );
}

function lensOf(uri: string, test: FileTest): vscode.CodeLens {
  const { line } = test;
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    ...testLens(test),
    command: internalCommands.profileTest,
    arguments: [argumentFor(uri, test)],
  });
}

interface ShownTests {
  readonly tests: readonly FileTest[];
  readonly lines: readonly string[];
}

/** Places the last known tests in a text that cannot be parsed, on lines with the same text, from the top. */
export function testsNow(last: ShownTests | undefined, lines: readonly string[]): readonly FileTest[] {
  if (last === undefined) return [];
  const now = linesByText(lines);
  const then = linesByText(last.lines);
  return last.tests.flatMap((test) => {
    const text = last.lines[test.line] ?? '';
    const line = now.get(text)?.[then.get(text)?.indexOf(test.line) ?? -1];
    return line === undefined ? [] : [{ ...test, line: line0(line) }];
  });
}

function linesByText(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [line, text] of lines.entries()) {
    const same = found.get(text);
    if (same === undefined) found.set(text, [line]);
    else same.push(line);
  }
  return found;
}

const testOfLens = v.object({
  lensUri: v.string(),
  /** Null for the whole file. */
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

export function argumentFor(lensUri: string, of: FileTest): v.InferOutput<typeof testOfLens> {
  const { titles, isSuite, isWhole, isShared } = of;
  const name = titles.at(-1);
  const test = name === undefined ? null : { name, suites: titles.slice(0, -1), isSuite, isWhole, isShared };
  return { lensUri, test };
}

/** The test or suite of a lens or of the Test Explorer; null for a file, and for anything else. */
export function testOf(argument: unknown, fileName: string): ShownTest | null {
  if (v.is(testOfLens, argument)) return argument.test;
  const item = itemIn(argument, fileName);
  if (item === null) return null;
  const { label: name, parent, children } = item;
  const size = isRecord(children) ? children['size'] : 0;
  const isSuite = typeof size === 'number' && size > 0;
  return { name, suites: suitesOf(parent, fileName), isSuite, isWhole: false, isShared: false };
}

function suitesOf(parent: unknown, fileName: string): readonly string[] {
  const item = itemIn(parent, fileName);
  return item === null ? [] : [...suitesOf(item.parent, fileName), item.label];
}

/** A test or a suite has a place in its file. Null for anything else. */
function itemIn(
  argument: unknown,
  fileName: string,
): { readonly label: string; readonly parent: unknown; readonly children: unknown } | null {
  if (!isRecord(argument)) return null;
  const { label, range, parent, children } = argument;
  if (typeof label !== 'string' || label === fileName || !(range instanceof vscode.Range)) return null;
  return { label, parent, children };
}

/** The line (from 0) of an argument of the line-number menu; null for anything else. */
export function lineOf(argument: unknown): { readonly uri: vscode.Uri; readonly line: number } | null {
  if (!isRecord(argument)) return null;
  const { uri, lineNumber } = argument;
  return uri instanceof vscode.Uri && typeof lineNumber === 'number' ? { uri, line: lineNumber - 1 } : null;
}

/** The file of an editor title, a lens over a test, or an item of the Test Explorer; undefined for anything else. */
export function fileOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (v.is(testOfLens, argument)) return vscode.Uri.parse(argument.lensUri);
  const uri = isRecord(argument) ? argument['uri'] : undefined;
  return uri instanceof vscode.Uri ? uri : undefined;
}
