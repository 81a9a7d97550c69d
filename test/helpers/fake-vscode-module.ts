/** Stands in for the module `vscode` in tests without an editor. Names and shapes are those of VS Code. */
type Listener = (told: unknown) => unknown;

export class Disposable {
  readonly dispose: () => void;

  constructor(dispose: () => void) {
    this.dispose = dispose;
  }

  static from(...all: readonly { readonly dispose: () => unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }
}

export class FakeEmitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(told?: unknown): void {
    for (const listener of this.#listeners) listener(told);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new FakeEmitter();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

type Execute = (...call: readonly unknown[]) => Promise<unknown>;
const nothing: Execute = async () => undefined;

/** What tests look at and set: commands by id, what was shown as an error or asked, the documents that change. */
export const fake = {
  commands: new Map<string, (...args: readonly unknown[]) => unknown>(),
  errors: new Array<string>(),
  warnings: new Array<string>(),
  /** What was shown as information. */
  messages: new Array<string>(),
  /** What the person answers to an error or a warning. */
  choice: async (): Promise<string | undefined> => undefined,
  /** What VS Code's own commands do. */
  execute: nothing,
  isTrusted: true,
  /** No file can be opened. */
  missing: false,
  /** Paths that were opened in an editor. */
  opened: new Array<string>(),
  pick: async (): Promise<unknown> => undefined,
  editors: new Array<unknown>(),
  /** Groups of editors were opened, closed or changed. */
  changedGroups: new FakeEmitter(),
  changedText: new FakeEmitter(),
  willSave: new FakeEmitter(),
  saved: new FakeEmitter(),
  settings: new Map<string, unknown>(),
  changedConfiguration: new FakeEmitter(),
  changedFolders: new FakeEmitter(),
  grantedTrust: new FakeEmitter(),
  startedTask: new FakeEmitter(),
  startedProcess: new FakeEmitter(),
  endedTask: new FakeEmitter(),
  /** What VS Code takes for running. */
  taskExecutions: new Array<unknown>(),
  /** Tasks that VS Code was told to run. */
  executed: new Array<unknown>(),
};

/** The tools that extensions have registered. An editor of another kind has other members. */
export const lm: {
  registerTool?: (name: string, tool: unknown) => Disposable;
  registerMcpServerDefinitionProvider?: (id: string, provider: unknown) => Disposable;
} = {};

export const commands = {
  registerCommand: (id: string, run: (...args: readonly unknown[]) => unknown): Disposable => {
    fake.commands.set(id, run);
    return new Disposable(() => fake.commands.delete(id));
  },
  executeCommand: async (...call: readonly unknown[]): Promise<unknown> => fake.execute(...call),
};

export const window = {
  withProgress: async (_: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>): Promise<unknown> => {
    return work({ report: () => undefined }, new CancellationTokenSource().token);
  },
  showErrorMessage: async (text: string): Promise<string | undefined> => {
    fake.errors.push(text);
    return fake.choice();
  },
  showWarningMessage: async (text: string): Promise<string | undefined> => {
    fake.warnings.push(text);
    return fake.choice();
  },
  showInformationMessage: async (text: string): Promise<void> => void fake.messages.push(text),
  showTextDocument: async ({ path }: { readonly path: string }): Promise<void> => {
    if (fake.missing) throw new Error('no such file');
    fake.opened.push(path);
  },
  tabGroups: { activeTabGroup: {}, all: [], onDidChangeTabGroups: fake.changedGroups.event },
  showQuickPick: async (): Promise<unknown> => fake.pick(),
  get visibleTextEditors(): readonly unknown[] {
    return fake.editors;
  },
  onDidChangeVisibleTextEditors: new FakeEmitter().event,
  createTreeView: (): Disposable => new Disposable(() => undefined),
  createTextEditorDecorationType: (): Disposable => new Disposable(() => undefined),
};

export const workspace = {
  workspaceFolders: new Array<unknown>(),
  fs: {
    stat: async (): Promise<object> => {
      if (fake.missing) throw new Error('no such file');
      return {};
    },
  },
  getWorkspaceFolder: (): undefined => undefined,
  asRelativePath: ({ path }: { readonly path: string }): string => path.slice('/app/'.length),
  get isTrusted(): boolean {
    return fake.isTrusted;
  },
  getConfiguration: () => ({
    get: (id: string, or: unknown): unknown => fake.settings.get(id) ?? or,
    inspect: nothing,
  }),
  onDidChangeConfiguration: fake.changedConfiguration.event,
  onDidGrantWorkspaceTrust: fake.grantedTrust.event,
  onDidChangeWorkspaceFolders: fake.changedFolders.event,
  saveAll: async (): Promise<boolean> => true,
  onDidChangeTextDocument: fake.changedText.event,
  onWillSaveTextDocument: fake.willSave.event,
  onDidSaveTextDocument: fake.saved.event,
  createFileSystemWatcher: () => {
    const { event } = new FakeEmitter();
    return { onDidChange: event, onDidCreate: event, onDidDelete: event, dispose: () => undefined };
  },
};

export const tasks = {
  registerTaskProvider: (): Disposable => new Disposable(() => undefined),
  onDidStartTask: fake.startedTask.event,
  onDidStartTaskProcess: fake.startedProcess.event,
  onDidEndTaskProcess: fake.endedTask.event,
  onDidEndTask: new FakeEmitter().event,
  get taskExecutions(): readonly unknown[] {
    return fake.taskExecutions;
  },
  executeTask: async (task: unknown): Promise<void> => void fake.executed.push(task),
};

export class Task {
  readonly definition: unknown;
  readonly name: string;
  readonly execution: unknown;

  constructor(definition: unknown, _scope: unknown, name: string, _source: string, execution: unknown) {
    this.definition = definition;
    this.name = name;
    this.execution = execution;
  }
}

export class ProcessExecution {
  readonly process: string;
  readonly args: readonly string[];
  readonly options: unknown;

  constructor(process: string, args: readonly string[], options?: unknown) {
    this.process = process;
    this.args = args;
    this.options = options;
  }
}

export const languages = { registerCodeLensProvider: (): Disposable => new Disposable(() => undefined) };
export const CodeAction = Object;
export const CodeActionKind = {};
export const CodeLens = Object;
export const MarkdownString = Object;
export const StatusBarAlignment = {};
export const ProgressLocation = { Notification: 15, Window: 10 };
export const Range = Object;
export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export const Uri = {
  [Symbol.hasInstance]: (value: unknown): boolean => typeof value === 'object' && value !== null && 'fsPath' in value,
  file: (path: string): unknown => ({ path, scheme: 'file' }),
  parse: (text: string): unknown => {
    const [, scheme = '', authority = '', path = ''] = /^(\w+):\/\/([^/]*)(.*)$/.exec(text) ?? [];
    return { scheme, authority, path: decodeURIComponent(path), fsPath: decodeURIComponent(path) };
  },
};
export const env = {};
export const debug = {};
export const DecorationRangeBehavior = {};
export const OverviewRulerLane = {};
export const Position = Object;
export const Selection = Object;
export const WorkspaceEdit = Object;
export const TabInputText = Object;
export const TabInputCustom = Object;
export const TabInputWebview = Object;
export const ViewColumn = {};
export const TaskScope = {};
export const TextDocumentSaveReason = { Manual: 1 };
export const TaskPanelKind = {};
export const TaskRevealKind = {};
export class TreeItem {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}
export const TreeItemCollapsibleState = {};
export const QuickPickItemKind = {};
export const RelativePattern = Object;
export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly unknown[];

  constructor(content: readonly unknown[]) {
    this.content = content;
  }
}

export class McpStdioServerDefinition {
  readonly args: readonly string[];

  constructor(_label: string, _command: string, args: readonly string[]) {
    this.args = args;
  }
}

export const ConfigurationTarget = {};
export { FakeEmitter as EventEmitter };
