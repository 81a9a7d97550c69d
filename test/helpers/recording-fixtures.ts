import assert from 'node:assert/strict';
import path from 'node:path';
import { fileUrlOf } from '../../engine/read/files/file-path.ts';
import { type FixtureArchive, packed, placeholders, readArchive, rewritten, writeFiles } from './fixture-archive.ts';
import type { fixtureProjects } from './fixture-runs.ts';
import { projectRoot } from './project.ts';
import { temporaryProject } from './temporary-project.ts';

type Projects = typeof fixtureProjects;

/** A recording in `test/fixtures/recordings`, such as `shop/first`: see the table in fixture-runs.ts. */
export type FixtureName = { [P in keyof Projects]: `${P}/${string & keyof Projects[P]['runs']}` }[keyof Projects];

export interface FixtureCopy {
  /** The folder of the sources that ran; absolute. */
  readonly project: string;
  /** The folder of the recording; absolute. */
  readonly recording: string;
}

/**
 * Copies a recording, and the sources that ran, with all paths in it rewritten to where the copy is. The project is a
 * new folder, removed after the tests of the file, or the given one: several runs of one project go into the same
 * folder, whose files are then those of the last copied run. The recording is in `.hotspan` of the project, where
 * `hotspan record` has it, or in the given folder. `ranIn`: the folder in which it seems to have run instead, also of
 * Windows.
 */
export function copyFixture(
  name: FixtureName,
  {
    project = temporaryProject({}),
    recording,
    ranIn = project,
  }: { readonly project?: string; readonly recording?: string; readonly ranIn?: string } = {},
): FixtureCopy {
  const [archive = '', run = ''] = name.split('/');
  const { files, runs } = archiveOf(archive);
  const { changes, recording: recorded } = runs[run] ?? assert.fail(`No recording ${name}: run npm run fixtures.`);
  const folder = recording ?? path.join(project, '.hotspan', run);
  writeFiles(project, { ...files, ...changes });
  writeFiles(folder, Object.fromEntries(Object.entries(recorded).map(([file, text]) => [file, placed(text, ranIn)])));
  return { project, recording: folder };
}

const archives = new Map<string, FixtureArchive>();

/** Each is unpacked once for all tests of a process. */
function archiveOf(name: string): FixtureArchive {
  const archive = archives.get(name) ?? readArchive(name);
  archives.set(name, archive);
  return archive;
}

/** With the paths of a copy. */
function placed(text: string, project: string): string {
  const at = (whole: string, placeholder: string, folder: string): string =>
    whole
      .replaceAll(`file://${placeholder}`, fileUrlOf(folder))
      .replaceAll(placeholder, packed(JSON.stringify(folder).slice(1, -1)));
  const { project: ours, hotspan, node } = placeholders;
  return rewritten(text, (part) => at(at(at(part, ours, project), hotspan, projectRoot), node, process.execPath));
}
