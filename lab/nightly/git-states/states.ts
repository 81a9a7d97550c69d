/** A state of a git repository in which a person may run Hotspan. */
export interface State {
  /** Run by a shell in the world of the state, after `common`; `R` is the repository. */
  readonly script: string;
  /** Where the person is, below the world. */
  readonly cwd?: string;
  /** What is compared with; `HEAD` where it is not said. */
  readonly base?: string;
  /** Whether nothing can be compared with it. */
  readonly isRefused?: boolean;
  /** Variables of the person's environment; `%` is the world. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository of two commits with packages, a hook, an ignored secret and a remote. */
export const common = `
  R=$PWD/shop
  git init -q shop
  cd shop
  printf 'node_modules\\n.env*\\nbuild/\\n' > .gitignore
  echo 1 > kept.txt; echo 1 > other.txt
  cp "$MAIN" main.js
  echo '{"name":"shop","private":true}' > package.json
  echo '{"name":"shop","lockfileVersion":3,"requires":true,"packages":{"":{"name":"shop"}}}' > package-lock.json
  git add -A; git commit -qm first; git tag v1
  echo 2 > kept.txt; git commit -qam second; git branch old HEAD~1
  mkdir -p node_modules/x node_modules/.bin build
  echo 'module.exports = 1' > node_modules/x/index.js; echo tool > node_modules/.bin/tool
  echo SECRET=1 > .env.local; echo built > build/out.js
  printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-push; chmod +x .git/hooks/pre-push
`;

/** Makes a conflict that a command stops at: \`git merge side\`, \`git rebase side\`. */
const side = `git checkout -q -b side old; echo side > kept.txt; git commit -qam side; git checkout -q main;`;
const unplug = 'mv ../linked ../unplugged';

export const states: Readonly<Record<string, State>> = {
  clean: { script: '' },
  dirty: { script: 'echo dirty > kept.txt; rm other.txt' },
  staged: { script: 'echo staged > kept.txt; git rm -q --cached other.txt; git add kept.txt' },
  'partially staged': { script: 'echo 3 > kept.txt; git add kept.txt; echo 4 >> kept.txt; git add -N build/out.js -f' },
  'untracked and other packages': {
    script: `echo new > new.js; mkdir d; echo x > d/x; sed -i 's/"shop"/"renamed"/' package-lock.json`,
  },
  stashed: { script: 'echo 1 > kept.txt; git stash -q; echo 3 > new.txt; git stash -qu; echo 5 > kept.txt' },
  'detached HEAD': { script: 'git checkout -q --detach; echo 3 > kept.txt; git commit -qam unnamed' },
  'unborn branch': { script: 'git checkout -q --orphan new; echo staged > kept.txt; git add kept.txt', base: 'main' },
  'no commit': { script: 'rm -rf .git; git init -q; git add main.js', isRefused: true },
  'merge with a conflict': { script: `${side} git merge side || true` },
  'merge to be committed': { script: `${side} git merge -q --no-commit -s ours side || true` },
  'rebase with a conflict': { script: `${side} git rebase -q side || true` },
  'rebase that edits': { script: `GIT_SEQUENCE_EDITOR='sed -i s/pick/edit/' git rebase -qi old; echo 7 > other.txt` },
  'rebase that applies': { script: `${side} git rebase -q --apply side || true` },
  'cherry-pick with a conflict': { script: `${side} git cherry-pick side || true` },
  'revert with a conflict': { script: 'echo 3 > kept.txt; git commit -qam third; git revert --no-edit HEAD~1 || true' },
  'mail that does not apply': { script: `${side} git format-patch -qo ../mail old..side; git am -q ../mail/* || true` },
  bisect: { script: 'git bisect start -q; git bisect bad; git bisect good old || true' },
  'inside a linked work tree': {
    script: 'git worktree add -q -b linked ../linked; cd ../linked; echo 3 > kept.txt; git add -A; echo n > new.txt',
    cwd: 'linked',
  },
  'a linked work tree that is not mounted': {
    script: `git worktree add -q --detach ../linked; echo s > ../linked/new.txt; git -C ../linked add -A; git -C ../linked commit -qm x; ${unplug}`,
  },
  'a locked work tree on a stick': { script: `git worktree add -q --lock --detach ../linked; ${unplug}` },
  'a dirty submodule': {
    script: `git init -q ../lib; git -C ../lib commit -q --allow-empty -m x; git submodule --quiet add ../lib lib; git commit -qm lib; echo s > lib/s.txt; git -C lib add -A`,
  },
  'a submodule that is not there': {
    script: `git init -q ../lib; git -C ../lib commit -q --allow-empty -m x; git submodule --quiet add ../lib lib; git commit -qm lib; git submodule --quiet deinit -f lib; rm -rf .git/modules ../lib`,
  },
  'sparse with a sparse index': {
    script: `mkdir -p far near; echo 1 > far/f.js; echo 1 > near/n.js; git add far near; git commit -qm far; git sparse-checkout set --cone --sparse-index near`,
  },
  'a shallow clone': {
    script: `git clone -q --depth 1 "file://$R" ../shallow; cd ../shallow; git branch old; echo 3 > kept.txt
      git commit -qam third; echo 4 > kept.txt; git add -A`,
    cwd: 'shallow',
  },
  'a partial clone': {
    script: `git config uploadpack.allowFilter true; git clone -q --filter=blob:none "file://$R" ../partial; cd ../partial; git branch old origin/old; echo 3 > kept.txt`,
    cwd: 'partial',
  },
  'files of Git LFS': {
    script: `echo '*.bin filter=lfs diff=lfs -text' > .gitattributes
      mkdir -p .git/lfs/objects; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:0\\nsize 4\\n' > a.bin
      git add -A; git commit -qm lfs
      git config filter.lfs.clean 's=$(git config lfs.storage || echo "$(git rev-parse --git-common-dir)/lfs"); mkdir -p "$s/objects"; echo cleaned >> "$s/objects/log"; cat'
      git config filter.lfs.smudge cat`,
  },
  'core.worktree': {
    script: `mkdir ../files; git config core.worktree ../../files; git --git-dir=.git --work-tree=../files checkout -qf HEAD; cp .git/config ../was; echo "gitdir: $R/.git" > ../files/.git; echo 3 > ../files/kept.txt`,
    cwd: 'files',
  },
  'a separate git directory': { script: 'git init -q --separate-git-dir ../store.git; echo 3 > kept.txt' },
  'settings of a work tree': {
    script: `git config extensions.worktreeConfig true; git worktree add -q --detach ../linked; git config --worktree core.hooksPath mine; git -C ../linked config --worktree core.bare false`,
  },
  'index of version 4 with all extensions': {
    script:
      'git config index.version 4; git update-index --index-version 4 --split-index --untracked-cache; git status -s',
  },
  'assume-unchanged and skip-worktree': {
    script: `git update-index --assume-unchanged kept.txt; git update-index --skip-worktree other.txt; echo mine > kept.txt; echo mine > other.txt`,
  },
  husky: {
    script: `mkdir .husky; printf '#!/bin/sh\\nexit 1\\n' > .husky/pre-commit; chmod +x .husky/pre-commit; git config core.hooksPath .husky
      echo '{"name":"shop","private":true,"scripts":{"prepare":"git config core.hooksPath .other"}}' > package.json
      git add -A; git commit -qnm husky; rm -rf node_modules/x/..x; sed -i 's/"shop"/"y"/' package-lock.json`,
  },
  'hooks for everything': {
    script: `for hook in post-checkout post-index-change reference-transaction post-commit pre-auto-gc; do printf '#!/bin/sh\\necho ran >> "%s/../ran"\\n' "$R" > .git/hooks/$hook; chmod +x .git/hooks/$hook; done
      git config core.fsmonitor "echo ran >> $R/../ran;false"; git config gc.auto 1`,
  },
  'borrowed objects': {
    script: 'git clone -q --shared . ../borrower; cd ../borrower; git branch old origin/old; echo 3 > kept.txt',
    cwd: 'borrower',
  },
  packed: {
    script: `git gc -q; git commit-graph write; git multi-pack-index write; git notes add -m note; git replace old $(git commit-tree -m replaced old:); git config rerere.enabled true; echo 3 > kept.txt`,
  },
  'reftable, or SHA-256': {
    script: `rm -rf .git; git init -q --ref-format=reftable || git init -q --object-format=sha256; git add -A; git commit -qm a; git branch old; echo 3 > kept.txt; git commit -qam b`,
  },
  'a bare repository with a work tree': {
    script:
      'git clone -q --bare . ../bare.git; git -C ../bare.git worktree add -q ../tree main; echo 3 > ../tree/kept.txt',
    cwd: 'tree',
  },
  'reached by a link': { script: 'ln -s shop ../link; echo 3 > kept.txt', cwd: 'link' },
  'inside of another one': {
    script: `mkdir inner; cp -r .git main.js inner/; cd inner; git reset -q; git checkout -q .; echo 3 > kept.txt`,
    cwd: 'shop/inner',
  },
  'a folder of packages': {
    script: `mkdir -p app/node_modules/y; cp main.js package.json package-lock.json app/; echo 1 > app/node_modules/y/index.js; git add app; git commit -qm app; git branch -f old; echo 3 > kept.txt; git commit -qam third; sed -i 's/"shop"/"y"/' app/package-lock.json`,
    cwd: 'shop/app',
  },
  'a committed link to packages': {
    script: `mv node_modules ../packages; ln -s ../packages node_modules; git add -f node_modules; git commit -qm link; sed -i 's/"shop"/"y"/' package-lock.json`,
  },
  'packages that are linked from elsewhere': {
    script: `mkdir ../mine; echo '{"name":"mine"}' > ../mine/package.json; ln -s ../../mine node_modules/mine; ln -s ../../nowhere node_modules/lost`,
  },
  'variables of a hook': {
    script: 'echo staged > kept.txt; git add -A; cp .git/index ../index-of-hook',
    env: {
      ...{ GIT_DIR: '%/shop/.git', GIT_INDEX_FILE: '%/index-of-hook', GIT_WORK_TREE: '%/shop', GIT_PREFIX: '' },
      ...{ GIT_AUTHOR_NAME: 'h', GIT_REFLOG_ACTION: 'commit', GIT_CONFIG_PARAMETERS: "'core.hooksPath=%/shop/hooks'" },
      ...{ INIT_CWD: '%/shop', npm_config_local_prefix: '%/shop', npm_config_prefix: '%/shop/prefix' },
    },
  },
  'line ends and keywords': {
    script: `printf '* text=auto eol=crlf\\n*.txt ident\\n' > .gitattributes; echo '$Id$' > id.txt; git config core.autocrlf true; git config core.fileMode false; git add -A; git commit -qm crlf; chmod +x kept.txt`,
  },
  'objects that cannot be read': {
    script:
      'git fsck --no-dangling; f=$(git rev-parse old:kept.txt); rm -f .git/objects/$(echo $f | cut -c1-2)/$(echo $f | cut -c3-)',
    base: 'old',
    isRefused: true,
  },
  'a repository of another user': { script: 'chown -R 12345 .', isRefused: true },
};
