/** Tests that fail in Wine for a reason of Wine, by file and name. Real Windows is to show that they pass. */
const links = 'Wine 8 makes no symbolic links';
const git = 'no git for Windows comes from a package registry';

const knownFailures = {
  'lab/windows/scenarios.mjs': {
    'one that runs npm ends what npm has started': 'taskkill of Wine 8 has no /T ("argument T not supported")',
  },
  'test/agents/profile-target.test.ts': { 'nor what a link leads to': links },
  'test/cli/commands/check.test.ts': {
    'the action is red at the line of the function that is over its budget, in its summary and in its report':
      'the step of the action runs in bash',
  },
  'test/cli/reports/write-reports.test.ts': { 'a link is written through and stays a link': links },
  'test/recorder/find-inspector.test.ts': {
    'an inspector is connected to at the address that was given, whatever it says of itself':
      'Wine 8 connects no socket to its own machine',
  },
  'test/recorder/recent-refs.test.ts': {
    'branches and tags are offered, then commits, each with its first line': git,
  },
  'test/recorder/unsafe-repository.test.ts': {
    'the repository of another user: git’s reason comes with its advice': git,
  },
  'test/recordings/default-folder.test.ts': {
    'a recording lies in the cache folder, by project, where no command of the project cleans': links,
  },
  'test/recordings/delete-comparisons.test.ts': {
    'what is not ours stays: other names, other files in a comparison, and what a link leads to': links,
  },
};

export function knownToFail(file) {
  return knownFailures[file] ?? {};
}
