// Runs inside the extension host, with the real API. `run` writes one result for each test that has begun to the file that
// the setting hotspanTests.resultsFile names: `[{ name, error }]`, error null when it passed. extension-api.test.ts reports
// them.
const assert = require('node:assert/strict');
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { setTimeout: wait } = require('node:timers/promises');
const vscode = require('vscode');

const uriOf = (file) => vscode.Uri.file(path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, file));
const extension = () => vscode.extensions.getExtension('hotspan.hotspan');
const controller = vscode.tests.createTestController('e2e', 'E2E');

const tests = {
  'the extension is there, and not active': () => {
    assert.equal(extension().isActive, false);
  },

  'an agent profiles a script of the project, in a task that ends with the exit code of the tests': async () => {
    const ended = endedTask();
    const { findings } = await answerOf('hotspan_profile', { script: 'test' }); // Dialogs are skipped in such a test.
    const { execution, exitCode } = await ended;
    assert.equal(execution.task.definition.type, 'hotspan');
    assert.equal(exitCode, 0);
    const { at } = findings.find(({ name }) => name === 'hash');
    assert.equal((await answerOf('hotspan_recheck', { at })).verdict, 'nothing to judge'); // No code has changed.
  },

  'every command of the manifest is registered': async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed = extension().packageJSON.contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  },

  'every text of the manifest is there in words': () => {
    const keys = JSON.stringify(extension().packageJSON).match(/"%[^"%]+%"/g); // What package.nls.json has no text for.
    assert.deepEqual(keys ?? [], []);
  },

  'a lens stands over the function that blocks, with its figures': lensOverTheFunctionThatBlocks,

  'a hover says what is known of it, and runs no command but its own': async () => {
    const position = new vscode.Position(3, 10);
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uriOf('hash.js'), position);
    const contents = hovers.flatMap((hover) => hover.contents).filter(({ value }) => value.includes('worst'));
    assert.equal(contents.length, 1);
    const [{ isTrusted, supportHtml }] = contents;
    assert.notEqual(isTrusted, true);
    assert.notEqual(supportHtml, true);
  },

  'an agent finds what to fix by the tools of the extension': async () => {
    const contributed = extension().packageJSON.contributes.languageModelTools.map(({ name }) => name);
    const known = new Set(vscode.lm.tools.map(({ name }) => name));
    assert.deepEqual(
      contributed.filter((name) => !known.has(name)),
      [],
    );
    const found = await answerOf('hotspan_hotspots', { limit: 50 });
    const { at } = found.hotspots.find(({ name }) => name === 'hash');
    assert.match((await answerOf('hotspan_explain', { at })).figures, /worst/);
  },

  'Clear takes the lenses away': async () => {
    await vscode.commands.executeCommand('hotspan.clear');
    assert.deepEqual(await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uriOf('hash.js')), []);
  },

  'from the Test Explorer, a test is profiled alone': async () => {
    const ended = endedTask();
    await vscode.commands.executeCommand('hotspan.profileTest', testItem());
    const { execution } = await ended;
    assert.deepEqual(execution.task.definition.command.slice(-3), [
      '--test-name-pattern',
      'hashes$',
      testItem().uri.fsPath,
    ]);
  },

  'and its figures are shown': lensOverTheFunctionThatBlocks,

  'a re-check of unedited code claims no change': async () => {
    await vscode.commands.executeCommand('hotspan.recheckTest', testItem());
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uriOf('hash.js'), 10);
    const texts = lenses.map(({ command }) => command.title);
    assert.ok(texts.length > 0 && texts.every((text) => !text.includes('→')), texts.join(' | '));
  },
};

exports.run = async () => {
  const results = [];
  for (const [name, body] of Object.entries(tests)) {
    const result = { name, error: 'It has not ended.' };
    results.push(result);
    write(results);
    try {
      await body();
      result.error = null;
    } catch (error) {
      result.error = String(error.stack);
    }
    write(results);
  }
};

function write(results) {
  writeFileSync(vscode.workspace.getConfiguration('hotspanTests').get('resultsFile'), JSON.stringify(results));
}

/** The object that a tool of the extension answers. */
async function answerOf(name, input) {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return JSON.parse(content[0].value);
}

/** The next task that ends. */
function endedTask() {
  return new Promise((resolve) => {
    vscode.tasks.onDidEndTaskProcess(resolve);
  });
}

/** The test of `hash`, as the Test Explorer hands it to a command. */
function testItem() {
  const item = controller.createTestItem('hash', 'hashes', uriOf('test/hash.test.js'));
  item.range = new vscode.Range(3, 0, 3, 30);
  return item;
}

async function lensOverTheFunctionThatBlocks() {
  const document = await vscode.workspace.openTextDocument(uriOf('hash.js'));
  const titles = await eventually(async () => {
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 10);
    return lenses.map(({ command, range }) => ({
      title: command.title,
      line: document.lineAt(range.start.line).text,
    }));
  });
  const lens = titles.find(({ title }) => /^in \d+ tests?$/.test(title)); // Its line in sight has the figures.
  assert.match(lens?.line ?? JSON.stringify(titles), / hash\(\) \{/);
}

/** The first answer that is not empty, of a thousand: results arrive after the task has ended. */
async function eventually(ask) {
  let answer = await ask();
  for (let asked = 1; answer.length === 0 && asked < 1000; asked++) {
    await wait(100);
    answer = await ask();
  }
  return answer;
}
