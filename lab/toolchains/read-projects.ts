import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isList, isRecord } from '../../protocol/json-value.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { withBlocks } from './timed-block.ts';

/** One way in which a tool runs a person's code, and what a recording of it must show. */
export interface Setup {
  readonly name: string;
  readonly project: Project;
  /** The package whose version the table shows; `node`: none. */
  readonly tool: string;
  /** Major versions of Node on which it runs; null: the Node of the tools alone. */
  readonly nodes: readonly number[] | null;
  /** A command that runs before, and is not recorded; null: none. The first word `node` is the Node of the row. */
  readonly prepare: readonly string[] | null;
  readonly command: readonly string[];
  /** Functions that hold the event loop for a time that they measure, on the line with `// HOT` and their name. */
  readonly blocks: readonly Block[];
  /** Functions without a clock of their own, by name: the file in which their declaration is found; '': anywhere. */
  readonly functions: Readonly<Record<string, string>>;
  /** Those of them that cannot be recorded. */
  readonly lost: readonly string[];
  /** What `hotspan analyze` must print where not all can be recorded; null: nothing. */
  readonly says: RegExp | null;
}

export interface Block {
  readonly name: string;
  /** By path in the project. */
  readonly file: string;
  /** The best possible verdict where it is not that of its line: `function`, `elsewhere`, `not own`, `nothing`. */
  readonly best: string | undefined;
}

/** A folder with packages in it, installed once for all set-ups that name it. */
export interface Project {
  readonly name: string;
  /** From npm, with their versions. */
  readonly packages: Readonly<Record<string, string>>;
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Version of Yarn, where that installs the packages. */
  readonly yarn?: string | undefined;
  /** The packages' own scripts have to be run, too. */
  readonly hasScripts?: boolean | undefined;
}

const folder = projectFile('lab/toolchains/projects');

/**
 * The set-ups of `projects/`. Each file there is a project as a txtar archive: `-- PATH --` in front of the text of each
 * file. `setups.json` is what is done with it; what all of its set-ups have in common stands above them. `from` names an
 * archive whose files and settings it takes over.
 */
export function readSetups(): readonly Setup[] {
  const names = readdirSync(folder).toSorted();
  return names.flatMap((file) => {
    const name = path.basename(file, '.txtar');
    const { settings, files } = readArchive(name);
    const { packages = {}, yarn, hasScripts } = settings;
    const project = { name, packages, files, yarn, hasScripts };
    return (settings.setups ?? []).map((one) => setupOf({ ...settings, ...one }, project));
  });
}

interface Settings {
  readonly from?: string;
  readonly packages?: Readonly<Record<string, string>>;
  readonly yarn?: string;
  readonly hasScripts?: boolean;
  readonly name?: string;
  readonly tool?: string;
  readonly nodes?: readonly number[];
  readonly prepare?: string;
  readonly command?: string;
  readonly blocks?: Readonly<Record<string, string>>;
  readonly best?: Readonly<Record<string, string>>;
  readonly functions?: Readonly<Record<string, string>>;
  readonly lost?: readonly string[];
  readonly says?: string;
  readonly setups?: readonly Settings[];
}

function setupOf(given: Settings, project: Project): Setup {
  const { name = '', tool = 'node', nodes = null, functions = {}, lost = [], best = {} } = given;
  return {
    ...{ name, project, tool, nodes, functions, lost },
    prepare: given.prepare?.split(' ') ?? null,
    command: (given.command ?? '').split(' '),
    blocks: Object.entries(given.blocks ?? {}).map(([block, file]) => ({ name: block, file, best: best[block] })),
    says: given.says === undefined ? null : new RegExp(given.says, 'm'),
  };
}

interface Archive {
  readonly settings: Settings;
  readonly files: Readonly<Record<string, string>>;
}

function readArchive(name: string): Archive {
  const [, ...parts] = readFileSync(path.join(folder, `${name}.txtar`), 'utf8').split(/^-- (.+) --\n/m);
  const texts = new Map(parts.flatMap((file, at) => (at % 2 === 0 ? [[file, parts[at + 1] ?? ''] as const] : [])));
  const settings: unknown = JSON.parse(texts.get('setups.json') ?? '{}');
  if (!isSettings(settings)) throw new Error(`${name}.txtar has no setups.json with a list of setups.`);
  texts.delete('setups.json');
  const own = Object.fromEntries([...texts].map(([file, text]) => [file, withBlocks(file, text)]));
  if (settings.from === undefined) return { settings, files: own };
  const base = readArchive(settings.from);
  return { settings: { ...base.settings, ...settings }, files: { ...base.files, ...own } };
}

/** Archives are of this repository: a misspelt setting shows in its row. */
function isSettings(value: unknown): value is Settings {
  return isRecord(value) && isList(value['setups']);
}
