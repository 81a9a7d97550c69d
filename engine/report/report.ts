import type { Report } from '../../protocol/report.ts';
import type { Analysis } from '../analysis.ts';

/** What `--json` prints. */
export declare function reportOf(analysis: Analysis): Report;
