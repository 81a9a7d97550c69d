import { plural } from '../../words/formats/figures.ts';

/** Said where a run of the base ran a file of the person's work tree. */
export function headFileText(file: string, baseName: string): string {
  return `The run of ${baseName} ran ${file} of your work tree, by an absolute path in the command, in a variable or in a link. So both sides would measure the same code, and there is no verdict: name files from the folder that the command runs in.`;
}

/** Said where a file changed while both sides were run. */
export function changedFileText(file: string): string {
  return `${file} changed while both sides were run, so the runs are of different code, and there is no verdict. Run it again, and leave your files as they are until it ends.`;
}

/** Said where an installation begins. */
export function installingText(baseName: string, count: number): string {
  const where = count === 1 ? '' : ` in ${plural(count, 'folder')}`;
  return `Installing the dependencies of ${baseName}${where} (they are others than yours)`;
}
