import { milliseconds } from '../../protocol/units.ts';
import type { NamedTime } from '../../protocol/summary.ts';

/** What is known of a result in which nothing blocks. */
export const nothing = {
  ...{ headline: null, worst: null, blame: null, longest: null, thresholdUs: milliseconds(10) },
  ...{ isForeign: false, isUnseen: false, isIncomplete: false, warnings: [] },
};

export const getRegex: NamedTime = {
  ...{ functionId: 1, label: 'getRegex', place: 'src/rules.ts:13' },
  ...{ us: milliseconds(8.4), estimated: false, tone: 'plain' },
};

/** What a package takes with no own line on the stack. */
export const bcrypt = { isOwn: false, name: 'bcryptjs', worstUs: milliseconds(118), estimated: false, count: 6 };
