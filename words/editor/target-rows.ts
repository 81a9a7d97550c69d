import { commandText, commandTextIn } from '../formats/command-text.ts';

/** What a list of targets needs of one: `recorder/launch/target.ts` has all of it. */
interface ListedTarget {
  readonly kind: string;
  readonly label: string;
  readonly description: string;
  readonly folder: string;
  readonly command: readonly string[];
  readonly script?: string;
  readonly notes: readonly string[];
}

export interface TargetRow<Target> {
  readonly label: string;
  readonly description: string;
  /** The command that is run, and what is to be known of it. */
  readonly detail: string;
  readonly target: Target;
}

/** The rows of a quick pick. What is to be known of several targets is said at the first of them. */
export function targetRows<Target extends ListedTarget>(targets: readonly Target[]): readonly TargetRow<Target>[] {
  const said = new Set<string>();
  return targets.map((target) => {
    const notes = target.notes.filter((note) => !said.has(note));
    for (const note of notes) said.add(note);
    const { label, description } = target;
    return { label, description, detail: [...commandParts(target), ...notes].join(' · '), target };
  });
}

/** The command, and in brackets the script that it runs, as far as the row does not say it already. */
function commandParts({ kind, label, folder, command, script }: ListedTarget): readonly string[] {
  // Their descriptions have the script.
  if (script !== undefined && (kind === 'script' || kind === 'app')) return [];
  const isLabel = commandText(command) === label;
  if (isLabel) return script === undefined ? [] : [script];
  const text = commandTextIn(folder, command);
  return [script === undefined ? text : `${text} (${script})`];
}
