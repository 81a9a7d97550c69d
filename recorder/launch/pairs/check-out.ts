import type { Failure } from '../../../protocol/failure.ts';
import { appendFile, copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { git, gitText, type KeptCommit, withObjects } from './git.ts';

/** A commit with the git directory of the repository that it is from. */
interface Source extends KeptCommit {
  readonly gitFolder: string;
  /** Its work tree. */
  readonly workTree: string;
}

/** `beside` is a folder for what the repositories share with the source. `stopping` ends the checkout. */
interface Place {
  readonly beside: string;
  readonly stopping: AbortSignal;
}

type CheckedOut = { readonly type: 'checkedOut'; readonly notes: readonly string[] } | Failure;

/**
 * Makes a folder with the files of a commit, which is a separate repository, and so are its submodules. Git reads the
 * files by the settings of the source, which their filters need (line ends, Git LFS, git-crypt).
 */
export async function checkOut(source: Source, root: string, place: Place): Promise<CheckedOut> {
  const own = path.join(root, '.git');
  const fail = async (reason: string): Promise<Failure> => {
    const lacking = await isPartial(source);
    return {
      type: 'failed',
      message: lacking
        ? `This is a partial clone, which has not all files of the commit (${reason}). This fetches them: git archive -o ${process.platform === 'win32' ? 'NUL' : '/dev/null'} ${source.commit}`
        : `The commit could not be checked out in ${place.beside}: ${reason}.`,
    };
  };
  await mkdir(root, { recursive: true });
  const format = await git(root, ['rev-parse', '--show-object-format'], inSource(source));
  if (format.type === 'failed') return fail(format.reason);
  const options = ['--quiet', '--template=', `--object-format=${format.text}`];
  const made = await git(root, ['-c', 'init.defaultRefFormat=files', 'init', ...options]);
  if (made.type === 'failed') return fail(made.reason);
  await shareObjects(source, own, await mkdtemp(path.join(place.beside, 'objects-')));
  await copyRefs(source, own);
  const there = { ...inSource(source), GIT_WORK_TREE: root, GIT_INDEX_FILE: path.join(own, 'index') };
  const whole = ['-c', 'core.sparseCheckout=false', '-c', 'index.sparse=false', '-c', 'submodule.recurse=false'];
  const read = await git(root, [...whole, 'read-tree', '-m', '-u', '--no-recurse-submodules', source.commit], there, {
    stopping: place.stopping,
  });
  if (read.type === 'failed') return fail(read.reason);
  return {
    type: 'checkedOut',
    notes: [...(await pointersLeft(root)), ...(await checkOutSubmodules(source, root, place))],
  };
}

/** The variables by which git reads from the source, in any folder. */
function inSource({ gitFolder, objects }: Source): NodeJS.ProcessEnv {
  return { GIT_DIR: gitFolder, ...withObjects(objects) };
}

async function pathIn({ gitFolder }: Pick<Source, 'gitFolder'>, name: string): Promise<string> {
  const found = await gitText(gitFolder, ['rev-parse', '--git-path', name], { GIT_DIR: gitFolder });
  return path.resolve(gitFolder, found === '' ? name : found);
}

async function isPartial(source: Source): Promise<boolean> {
  const asked = ['config', '--get-regexp', String.raw`^remote\..*\.promisor$`];
  return (await git(source.gitFolder, asked, inSource(source))).type === 'done';
}

/**
 * Lets a repository read the objects of the source. Git looks for them in the source, and in hard links to its packs in
 * the folder `shared`, which stay when the source packs or deletes them. That lies beside the repository: `chmod -R` in
 * the repository would change the files of the source.
 */
async function shareObjects(source: Source, own: string, shared: string): Promise<void> {
  const folders = [await pathIn(source, 'objects'), ...(source.objects === null ? [] : [source.objects])];
  await mkdir(path.join(shared, 'pack'));
  for (const from of folders) await linkPacks(path.join(from, 'pack'), path.join(shared, 'pack'));
  const borrowed = await Promise.all(folders.map(alternatesOf));
  const info = path.join(own, 'objects', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(path.join(info, 'alternates'), `${[shared, ...folders, ...borrowed.flat()].join('\n')}\n`);
}

async function linkPacks(from: string, to: string): Promise<void> {
  const names = (await readdir(from).catch(() => [])).filter((name) => !name.startsWith('tmp_'));
  // A failure (another file system, no links, or git packs these objects right now) leaves those of the source.
  await Promise.all(names.map(async (name) => link(path.join(from, name), path.join(to, name)).catch(() => {})));
}

/** Other folders of objects that a repository borrows from, absolute. */
async function alternatesOf(objects: string): Promise<readonly string[]> {
  const text = await readFile(path.join(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => path.resolve(objects, line));
}

/** Gives a repository the current branches and tags of the source, and checks none of them out. */
async function copyRefs(source: Source, own: string): Promise<void> {
  const kinds = ['refs/heads', 'refs/tags', 'refs/remotes', 'refs/replace'];
  const asked = ['for-each-ref', '--format=%(objectname) %(refname)', ...kinds];
  const refs = await gitText(source.gitFolder, asked, { GIT_DIR: source.gitFolder });
  if (refs !== '') await writeFile(path.join(own, 'packed-refs'), `${refs}\n`);
  await writeFile(path.join(own, 'HEAD'), `${source.commit}\n`);
  await copyFile(await pathIn(source, 'shallow'), path.join(own, 'shallow')).catch(() => {}); // It is whole.
  // Commits there must not start to pack.
  await appendFile(path.join(own, 'config'), '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n');
}

/** A sentence where files of Git LFS are not on this machine: in their place there are pointers to them. */
async function pointersLeft(root: string): Promise<readonly string[]> {
  const attributes = await git(root, ['grep', '-lF', 'filter=lfs', '--', '.gitattributes', '*/.gitattributes']);
  if (attributes.type === 'failed') return [];
  const [first = ''] = (await gitText(root, ['grep', '-lF', 'version https://git-lfs.github.com/spec/v1'])).split('\n');
  return first === ''
    ? []
    : [`The base has pointers in the place of files of Git LFS that are not on this machine, such as ${first}.`];
}

/** Checks out the submodules of a commit that are on this machine. Sentences name the others. */
async function checkOutSubmodules(source: Source, root: string, place: Place): Promise<readonly string[]> {
  const entries = await gitText(root, ['ls-files', '--stage', '-z']);
  const modules = entries.split('\0').flatMap((line) => {
    const [, commit = '', file = ''] = /^160000 (\S+) \d\t(.*)$/s.exec(line) ?? [];
    return file === '' ? [] : [{ commit, file }];
  });
  const notes: string[] = [];
  for (const { commit, file } of modules) {
    const gitFolder = await submoduleIn(source, root, file, commit);
    if (gitFolder === undefined) {
      notes.push(
        `The submodule ${file} is empty in the base: its commit ${commit.slice(0, 10)} is not on this machine.`,
      );
      continue;
    }
    const there = path.join(root, file);
    const module = { gitFolder, commit, objects: null, workTree: path.join(source.workTree, file) };
    const out = await checkOut(module, there, place);
    if (out.type === 'checkedOut') notes.push(...out.notes);
    else {
      await rm(there, { recursive: true, force: true });
      notes.push(`The submodule ${file} is empty in the base. ${out.message}`);
    }
  }
  return notes;
}

/** The git directory of a submodule that has its commit. */
async function submoduleIn(source: Source, root: string, file: string, commit: string): Promise<string | undefined> {
  const asked = ['config', '--file', '.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`];
  const named = (await gitText(root, asked)).split('\n').find((line) => line.endsWith(` ${file}`));
  const name = named === undefined ? file : named.slice('submodule.'.length, -`.path ${file}`.length);
  // A name with `..` would lead to another folder.
  if (name.split(/[/\\]/).includes('..')) return undefined;
  const folders = [path.join(await pathIn(source, 'modules'), name), path.join(source.workTree, file, '.git')];
  for (const gitFolder of folders) {
    const found = await git(root, ['cat-file', '-e', `${commit}^{commit}`], { GIT_DIR: gitFolder });
    if (found.type === 'done') return gitFolder;
  }
  return undefined;
}
