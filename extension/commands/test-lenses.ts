import { CodeLens, type Disposable, EventEmitter, Range, type TextDocument, languages, workspace } from 'vscode';
import { internalCommands, settings } from '../../protocol/ids.ts';
import { type FileTest, testsRequest } from '../../protocol/requests.ts';
import { isTestFile } from '../../protocol/test-files.ts';
import { line0 } from '../../protocol/units.ts';
import { testLens } from '../../words/editor/lens-texts.ts';
import type { Services } from '../results/services.ts';
import { hasTestLenses } from '../ui/settings.ts';
import { argumentFor } from './test-items.ts';

/**
 * Lenses that profile one test or suite, over each in a test file. Nothing is parsed here: the server does it, and is
 * started by the first test file that is opened.
 */
export function activateTestLenses({ server }: Pick<Services, 'server'>): readonly Disposable[] {
  const changed = new EventEmitter<void>();
  const shown = new WeakMap<TextDocument, ShownTests>();
  const selector = testLanguages.map((language) => ({ scheme: 'file', language }));
  return [
    changed,
    languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) => {
        if (!workspace.isTrusted || !hasTestLenses() || !isTest(document)) return [];
        const uri = document.uri.toString();
        const lines = linesOf(document);
        const found = await server.ask(testsRequest, { uri });
        const tests = found ?? testsNow(shown.get(document), lines);
        if (found !== null) shown.set(document, { tests: found, lines });
        return tests.map((test) => lensOf(uri, test));
      },
    }),
    workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.testLenses)) changed.fire();
    }),
  ];
}

const testLanguages = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];

/** Whether *Profile File* would run the document with its runner of tests. */
function isTest({ uri }: TextDocument): boolean {
  return workspace.getWorkspaceFolder(uri) !== undefined && isTestFile(workspace.asRelativePath(uri, false));
}

function lensOf(uri: string, test: FileTest): CodeLens {
  const { line } = test;
  return new CodeLens(new Range(line, 0, line, 0), {
    ...testLens(test),
    command: internalCommands.profileTest,
    arguments: [argumentFor(uri, test)],
  });
}

/** The tests that were found last in a document, and its lines then. */
interface ShownTests {
  readonly tests: readonly FileTest[];
  readonly lines: readonly string[];
}

function linesOf(document: TextDocument): readonly string[] {
  return document.getText().split(/\r?\n/);
}

/**
 * Where the tests that were found last are in a text that cannot be parsed, which is most texts while a person types:
 * at the lines that are the same. A line that stands there more than once counts from the top.
 */
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
