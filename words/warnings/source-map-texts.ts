import type { SourceMapWarning, WhyRefused } from '../../engine/read/sourcemap/script-maps.ts';
import type { Texts } from './text-table.ts';

/** About source maps that are missing or cannot be used. */
export const sourceMapTexts: Texts<SourceMapWarning> = {
  deletedFiles({ paths: [first = '', ...others] }) {
    return `${others.length === 0 ? `${first} was` : `${first} and ${others.length} more were`} deleted before the program had ended, without a source map that was seen: lines there are those of the deleted text. Build with source maps.`;
  },
  madeFile({ path }) {
    return `A tool made ${path} of a configuration, and deleted it without a source map. The lines of its functions are not known.`;
  },
  sourceMapRefused({ path, reason }) {
    return `The source map of ${path} ${refusals[reason]}: its lines are those of the built code. Build again with source maps, then record again.`;
  },
  textNotSeen({ path }) {
    return `What ran as ${path} is not the text of that file: a tool made it in memory, and its source map was not seen. The lines of its functions are not known. Turn the source maps of that tool on, and end the program by Ctrl+C, not by kill -9.`;
  },
};

const refusals: Readonly<Record<WhyRefused, string>> = {
  broken: 'has broken mappings',
  notMade: 'was not made',
  elsewhere: 'is not a file beside it',
  unreadable: 'cannot be read',
  otherBuild: 'is of another build',
  tooLong: 'is too long',
  notJson: 'is not JSON of a source map',
  otherVersion: 'is not of version 3',
  longSourceRoot: 'has a sourceRoot that no folder has',
  noMappings: 'has no usable mappings',
  emptySection: 'has a section without map or offset',
  longSourceRootInSection: 'has a section with a sourceRoot that no folder has',
  noMappingsInSection: 'has a section without usable mappings',
};
