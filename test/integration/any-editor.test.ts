import assert from 'node:assert/strict';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  CodeAction,
  CodeActionRequest,
  CodeLensRequest,
  type Command,
  DidChangeConfigurationNotification,
  DidChangeWorkspaceFoldersNotification,
  DocumentDiagnosticRequest,
  ExecuteCommandRequest,
  HoverRequest,
  InlayHintRequest,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver/node';
import { isRecord } from '../../protocol/json-value.ts';
import { closeBaseline, openBaseline } from '../../recordings/baselines.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { writeWhole } from '../../recordings/private-files.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { uriOf } from '../helpers/language-client.ts';
import { type EditorFacts, type PlainEditor, startPlainEditor } from '../helpers/plain-editor.ts';
import { runCli } from '../helpers/run-cli.ts';
import { cloneLine, quoteLine, recordRun, recordShop, type ShopRecording } from '../helpers/shop-recording.ts';

type Facts = EditorFacts & { readonly folder?: string | null };

/** Recordings of the tests are in a folder of their own. */
async function startEditor(t: TestContext, shop: ShopRecording, { folder = shop.folder, ...facts }: Facts = {}) {
  const editor = await startPlainEditor(folder, { env: { ...process.env, ...recordingsIn(shop) }, ...facts });
  t.after(async () => assert.equal(await editor.close(), 0));
  return editor;
}

function recordingsIn({ folder }: ShopRecording): { readonly HOTSPAN_RECORDINGS: string } {
  return { HOTSPAN_RECORDINGS: path.join(folder, 'kept') };
}

/** Records a run of a day where `hotspan record` would in a folder. Its end is written last. */
async function record(shop: ShopRecording, day: string, ms: number, name = day, cwd = shop.folder): Promise<string> {
  const [home = ''] = defaultRecordingsFolders(cwd, recordingsIn(shop));
  const run = path.relative(shop.folder, path.join(home, name));
  const facts = { startedAt: `${day}T00:00:00.000Z`, cwd };
  const recording = await recordRun(shop, run, ms, { ...facts, endedAt: null });
  const ended = { version: 2, command: ['npm', 'test'], ...facts, endedAt: `${day}T00:00:05.000Z` };
  await writeWhole(path.join(recording, 'recording.json'), JSON.stringify(ended));
  return recording;
}

/** Sets the baseline `main` on a day, which replaces the one before. */
async function setBaseline(shop: ShopRecording, day: string, ms: number): Promise<void> {
  const folder = await openBaseline(shop.folder, 'main');
  const facts = { name: 'main', command: ['npm', 'test'], commit: null, createdAt: `${day}T00:00:00.000Z` };
  const recording = await recordRun(shop, path.relative(shop.folder, path.join(folder, 'run-1')), ms);
  await closeBaseline({ ...facts, folder, recordings: [recording] });
}

async function shopFor(t: TestContext): Promise<ShopRecording> {
  const shop = await recordShop();
  t.after(shop.remove);
  return shop;
}

const all = { range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } };
const ofFile = ({ file }: ShopRecording) => ({ textDocument: { uri: uriOf(file) } });
const hintsOf = async ({ client }: PlainEditor, shop: ShopRecording) =>
  (await client.sendRequest(InlayHintRequest.type, { ...ofFile(shop), ...all })) ?? [];

async function changeFolders({ client }: PlainEditor, changed: { readonly added?: string; readonly removed?: string }) {
  const [added = [], removed = []] = [changed.added, changed.removed].map((folder) =>
    folder === undefined ? [] : [{ uri: uriOf(folder), name: '' }],
  );
  await client.sendNotification(DidChangeWorkspaceFoldersNotification.type, { event: { added, removed } });
}

test('an editor shows the newest recording of its folder, in the words of hotspan analyze', async (t) => {
  const shop = await shopFor(t);
  const recording = await record(shop, '2040-01-01', 312);
  const editor = await startEditor(t, shop);
  const { stdout } = await runCli(['analyze', recording, '--json'], { cwd: shop.folder });
  const worst = Math.round(Number(/"worstUs": (\d+)/.exec(stdout)?.[1]) / 1000);
  await editor.next('window/logMessage');
  assert.deepEqual(await hintsOf(editor, shop), [
    { position: { line: cloneLine, character: 53 }, label: `≈${worst} ms · 1× · 1 stack`, paddingLeft: true },
  ]);
  const { client } = editor;
  assertEach(
    (await client.sendRequest(CodeLensRequest.type, ofFile(shop))) ?? [],
    ({ range, command }) => [range.start.line, command?.title, command?.command],
    [
      [quoteLine, `≈${worst} ms`, 'hotspan.explain'],
      [quoteLine, 'next hotspot', 'hotspan.nextHotspot'],
    ],
  );
  const position = { line: cloneLine, character: 3 };
  const hover = JSON.stringify(await client.sendRequest(HoverRequest.type, { ...ofFile(shop), position }));
  assert.match(hover, /\*\*quote\*\* · ≈312 ms worst.*Copy only what changes/);
  assert.doesNotMatch(hover, /command:/);
  const symbols = (await client.sendRequest(WorkspaceSymbolRequest.type, { query: 'QUO' })) ?? [];
  assertEach<{ readonly name: string; readonly location: { readonly uri: string } }>(
    symbols,
    ({ name, location }) => [name, location.uri],
    [['≈312 ms quote', uriOf(shop.file)]],
  );
  // It declared nothing, so it was asked for nothing.
  assert.deepEqual([...editor.methods], ['window/logMessage']);
  await client.sendRequest(ExecuteCommandRequest.type, { command: 'hotspan.nextHotspot' });
  assert.match(JSON.stringify(await editor.next('window/showMessage')), /≈312 ms quote: file.*shop\.js, line 4/);
});

test('folders that are parts of a repository show what was recorded at its root, each also without the other', async (t) => {
  const shop = await shopFor(t);
  await mkdir(path.join(shop.folder, '.git'));
  await record(shop, '2040-01-01', 312);
  const editor = await startEditor(t, shop, { folder: path.dirname(shop.file) });
  const docs = path.join(shop.folder, 'docs');
  for (const change of [null, { added: docs }, { removed: docs }]) {
    if (change !== null) await changeFolders(editor, change);
    await editor.next('window/logMessage');
    assertEach(await hintsOf(editor, shop), ({ label }) => label, ['≈312 ms · 1× · 1 stack']);
  }
  const newer = await record(shop, '2040-01-02', 90, '2040-01-02', path.dirname(shop.file));
  await editor.next('window/logMessage');
  await changeFolders(editor, { added: shop.folder });
  await editor.next('window/logMessage');
  await editor.next('window/logMessage'); // What was shown is read again too.
  await editor.client.sendRequest(ExecuteCommandRequest.type, { command: 'hotspan.openRecording' });
  assert.ok(JSON.stringify(await editor.next('window/showMessage')).includes(`"npm test\\n${newer}\\n`));
});

test('an editor without a folder says so, and shows one that it adds until it removes it', async (t) => {
  const shop = await shopFor(t);
  await record(shop, '2040-01-01', 312);
  const capabilities = { workspace: { workspaceFolders: true, inlayHint: { refreshSupport: true } } };
  const editor = await startEditor(t, shop, { folder: null, capabilities });
  await editor.next('workspace/inlayHint/refresh'); // The settings are known.
  assert.match(JSON.stringify(await editor.next('window/logMessage')), /No folder is open in the editor/);
  for (const change of [{ added: shop.folder }, { removed: shop.folder }]) {
    await changeFolders(editor, change);
    await editor.next('workspace/inlayHint/refresh');
    assert.equal((await hintsOf(editor, shop)).length, 'added' in change ? 1 : 0);
  }
});

test('a recording that ends, and a baseline that is set, replaces the one before, also where no folder was there', async (t) => {
  const shop = await shopFor(t);
  const capabilities = { workspace: { inlayHint: { refreshSupport: true } } };
  const editor = await startEditor(t, shop, { capabilities });
  await editor.next('workspace/inlayHint/refresh'); // The settings are known.
  assert.deepEqual(await hintsOf(editor, shop), []);
  for (const [set, day, ms] of [
    [record, '2040-01-01', 312],
    [record, '2040-01-02', 90],
    [setBaseline, '2040-01-03', 200],
    [setBaseline, '2040-01-04', 250],
  ] as const) {
    await set(shop, day, ms);
    // While a baseline is replaced, the recording before it may be the newest.
    while ((await hintsOf(editor, shop))[0]?.label !== `≈${ms} ms · 1× · 1 stack`)
      await editor.next('workspace/inlayHint/refresh');
  }
  assert.ok(!editor.methods.has('workspace/codeLens/refresh'));
});

test('the server runs the commands of lenses and actions, and the editor shows what comes out', async (t) => {
  const shop = await shopFor(t);
  const spread = 'let copy = []; for (const item of catalogue) copy = [...copy, item];';
  await writeFile(shop.file, shop.text.replace(/const copy = .*/, spread));
  await utimes(shop.file, 0, 0);
  const recording = await record(shop, '2040-01-01', 312);
  const profile = JSON.stringify(drawProfile(`${'bcryptjs#hash '.repeat(400)} (idle) lib.js#sum`));
  await writeFile(path.join(recording, '8-0-b.0.cpuprofile'), profile.replaceAll('/app', shop.folder));
  const lib = path.join(path.dirname(shop.file), 'lib.js');
  await writeFile(lib, "import { hash } from 'bcryptjs';\n");
  const codeActionLiteralSupport = { codeActionKind: { valueSet: ['quickfix'] } };
  const capabilities = {
    window: { showDocument: { support: true } },
    textDocument: { codeAction: { codeActionLiteralSupport } },
  };
  const editor = await startEditor(t, shop, { capabilities });
  await editor.next('window/logMessage');
  const at = { start: { line: cloneLine, character: 3 }, end: { line: cloneLine, character: 3 } };
  const asked = { ...ofFile(shop), range: at, context: { diagnostics: [] } };
  const [explain, next] = (await editor.client.sendRequest(CodeActionRequest.type, asked)) ?? [];
  const commandOf = (action: typeof next): Command | undefined =>
    action !== undefined && CodeAction.is(action) ? action.command : undefined;
  const run = async ({ command, arguments: given }: Command = assert.fail()): Promise<unknown> => {
    await editor.client.sendRequest(ExecuteCommandRequest.method, { command, arguments: given ?? null });
    return editor.next('window/showDocument');
  };
  const start = { line: 0, character: 0 };
  const selection = { start, end: start };
  for (const command of [commandOf(next), { title: '', command: 'hotspan.nextHotspot' }])
    assert.deepEqual(await run(command), { uri: uriOf(lib), selection, takeFocus: true }, 'the worst');
  const textOf = async (command: Command | undefined): Promise<string> => {
    const shown = await run(command);
    return isRecord(shown) ? readFile(fileURLToPath(String(shown['uri'])), 'utf8') : '';
  };
  const explained = await textOf(commandOf(explain));
  assert.match(explained, /^src[\\/]shop\.js:4\n\nquote · ≈312 ms worst/);
  assert.doesNotMatch(explained, /command:|\\\.|[*`]/); // It is shown as it is.
  assert.match(explained, /copy\.push\(item\);/); // The file is not open.
  const text = await textOf({ title: '', command: 'hotspan.openRecording' });
  assert.ok(text.startsWith(`npm test\n${recording}\n\n`), text);
  assert.match(text, /- ≈312 ms quote · 1 × · src[\\/]shop\.js:4\n/);
  const onImport = { title: '', command: 'hotspan.explain', arguments: [{ uri: uriOf(lib), line: 0 }] };
  assert.match(await textOf(onImport), /^src[\\/]lib\.js:1\n\nbcryptjs · ≈400 ms worst/);
  await writeFile(shop.file, '');
  assert.match(await textOf(commandOf(explain)), /^src[\\/]shop\.js:4 when it was recorded; its code is gone\n\nquote/);
});

test('a command that has nothing to show says what to do', async (t) => {
  const shop = await shopFor(t);
  const { client, next } = await startEditor(t, shop);
  assert.match(JSON.stringify(await next('window/logMessage')), /Nothing was recorded here yet/);
  const command = 'hotspan.nextHotspot';
  const says = async (why: string): Promise<void> =>
    assert.rejects(async () => client.sendRequest(ExecuteCommandRequest.type, { command }), {
      message: `${why}: run "hotspan -- npm test".`,
    });
  await says('Nothing was recorded here yet');
  const run = await record(shop, '2040-01-01', 312, path.join('2040-01-01T00-00-00-000-1-compare', 'run-1'));
  await says(`Only checks and comparisons were recorded here (the newest run is ${run})`);
});

test('diagnostics are off; a limit brings them, by pull where the editor can be told to pull again, else by push', async (t) => {
  const shop = await shopFor(t);
  await record(shop, '2040-01-01', 312);
  const diagnostics = { refreshSupport: true };
  const pull = await startEditor(t, shop, {
    capabilities: { workspace: { configuration: true, diagnostics }, textDocument: { diagnostic: {} } },
    settings: { diagnostics: { threshold: 100 }, annotations: { enabled: 'no' } },
  });
  assert.match(JSON.stringify(await pull.next('window/showMessage')), /annotations\.enabled is not used/);
  await pull.next('window/logMessage');
  const found = JSON.stringify(await pull.client.sendRequest(DocumentDiagnosticRequest.type, ofFile(shop)));
  assert.match(found, /"quote: ≈312 ms · 1× · 1 stack \(holds the event loop\)"/);
  assert.doesNotMatch(found, /command:/);
  assert.ok(!pull.methods.has('textDocument/publishDiagnostics'));

  // One that cannot be told to pull again is told what there is.
  const push = await startEditor(t, shop, { capabilities: { textDocument: { diagnostic: {} } } });
  await push.next('window/logMessage');
  assert.equal(push.capabilities['diagnosticProvider'], undefined);
  const settings = { hotspan: { diagnostics: { threshold: 100 } } };
  await push.client.sendNotification(DidChangeConfigurationNotification.type, { settings });
  const pushed = await push.next('textDocument/publishDiagnostics');
  assert.match(JSON.stringify(pushed), /"message":"quote: ≈312 ms/);
});

test('in VS Code nothing of this is there: its extension opens results and draws them', async (t) => {
  const shop = await shopFor(t);
  await record(shop, '2040-01-01', 312);
  const display = { metric: 'worst', codeLens: true, loading: false, diagnosticsUs: null };
  const { capabilities, client, methods } = await startEditor(t, shop, { initializationOptions: { display } });
  assert.deepEqual(Object.keys(capabilities), ['textDocumentSync', 'codeLensProvider', 'hoverProvider', 'workspace']);
  assert.deepEqual(await client.sendRequest(CodeLensRequest.type, ofFile(shop)), []);
  assert.deepEqual([...methods], []);
});

test('started by hand it says who starts it, and ends', async () => {
  const { code, stderr } = await runCli(['lsp']);
  assert.deepEqual([code, stderr.includes('An editor starts this')], [2, true]);
});
