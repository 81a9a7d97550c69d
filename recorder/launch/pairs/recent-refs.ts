import { git } from './git.ts';

/** Something of a repository that a person may want to compare with. */
export interface RecentRef {
  /** As git understands it: `main`, `v1.2.0`, `1a2b3c4`. */
  readonly name: string;
  readonly kind: 'branch' | 'tag' | 'commit';
  /** In git's words: `3 days ago`. */
  readonly when: string;
  readonly subject: string;
}

/** Branches and tags, the newest first, then the last commits; none where there is no repository. */
export async function recentRefs(cwd: string): Promise<readonly RecentRef[]> {
  const format = ['%(refname)', '%(refname:short)', '%(creatordate:relative)', '%(contents:subject)'].join('%09');
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const [named, commits] = await Promise.all([
    git(cwd, ['for-each-ref', '--sort=-creatordate', `--count=${mostRefs}`, `--format=${format}`, ...refs]),
    git(cwd, ['log', `--max-count=${mostCommits}`, '--format=%h%x09%cr%x09%s']),
  ]);
  return [
    ...linesOf(named).flatMap(([whole = '', name = '', when = '', subject = '']): readonly RecentRef[] => {
      // The remote's own default only repeats another.
      if (name === '' || whole.endsWith('/HEAD')) return [];
      return [{ name, kind: whole.startsWith('refs/tags/') ? 'tag' : 'branch', when, subject }];
    }),
    ...linesOf(commits).flatMap(([name = '', when = '', subject = '']): readonly RecentRef[] =>
      name === '' ? [] : [{ name, kind: 'commit', when, subject }],
    ),
  ];
}

const mostRefs = 30;
const mostCommits = 20;

function linesOf(result: Awaited<ReturnType<typeof git>>): readonly (readonly string[])[] {
  return result.type === 'failed' ? [] : result.text.split('\n').map((line) => line.split('\t'));
}
