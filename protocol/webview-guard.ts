import {
  type FlameAnswer,
  type FlameFrame,
  type FlameQuery,
  type FlameSearch,
  flameTiers,
  frameCategories,
  ownRoles,
} from './flame.ts';
import type { HostMessage, PageMessage, PageState } from './webview.ts';

/** Whether a value that arrived from the page is one of its messages. Unknown keys are allowed. */
export function isPageMessage(value: unknown): value is PageMessage {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'ready':
      return true;
    case 'query':
      return isCount(value['id']) && isQuery(value['query']);
    case 'search':
      return isCount(value['id']) && isSearch(value['search']);
    case 'openSource':
      return isString(value['url']) && isCount(value['line']);
    case 'openDeopt':
      return isCount(value['functionId']) && isCount(value['deopt']);
    case 'recordTiers':
    case 'openTiers':
    case 'openProfile':
      return true;
    default:
      return false;
  }
}

/** Whether a value that arrived at the page is a message of the extension; every frame in it is checked. */
export function isHostMessage(value: unknown): value is HostMessage {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'loading':
      return isString(value['text']);
    case 'show':
      return isShow(value);
    case 'answer':
      return isCount(value['id']) && isAnswer(value['answer']);
    case 'searchAnswer':
      return (
        isCount(value['id']) &&
        isObject(value['answer']) &&
        isCount(value['answer']['matches']) &&
        isNumber(value['answer']['matchedUs'])
      );
    case 'failed':
      return (value['id'] === null || isCount(value['id'])) && isString(value['text']);
    case 'focus':
      return isCount(value['functionId']) && typeof value['alone'] === 'boolean';
    case 'refresh':
      return true;
    default:
      return false;
  }
}

/** The `type` of a message, whether it is valid or not; null where it has none. */
export function typeOf(value: unknown): string | null {
  return isObject(value) && isString(value['type']) ? value['type'] : null;
}

/** The number of a question or an answer, whether it is valid or not; null where it has none. */
export function idOf(value: unknown): number | null {
  return isObject(value) && isCount(value['id']) ? value['id'] : null;
}

/** Whether this version of the page can continue from a kept state. */
export function isPageState(value: unknown): value is PageState {
  return (
    isObject(value) &&
    value['version'] === 1 &&
    ['recording', 'zoom', 'pattern'].every((key) => isString(value[key])) &&
    isCategories(value['hide']) &&
    (value['direction'] === 'icicle' || value['direction'] === 'flame') &&
    (value['view'] === 'graph' || value['view'] === 'table') &&
    (value['colors'] === 'category' || value['colors'] === 'tier') &&
    isTiers(value['tiers']) &&
    ['none', 'optimized', 'notOptimized'].some((one) => one === value['highlight']) &&
    (value['operation'] === null || isCount(value['operation']))
  );
}

function isShow(value: Fields): boolean {
  const texts = ['recording', 'title', 'verdict'].map((key) => value[key]);
  const { folders, thresholdUs } = { folders: value['folders'], thresholdUs: value['thresholdUs'] };
  const isNamed = texts.every(isString) && Array.isArray(folders) && folders.every(isString);
  const [isTiers, isSecondRun, startedAt] = ['isTiers', 'isSecondRun', 'startedAt'].map((key) => value[key]);
  const isRun = typeof isTiers === 'boolean' && typeof isSecondRun === 'boolean';
  return isNamed && isNumber(thresholdUs) && isRun && isTextOrNull(startedAt);
}

function isQuery(value: unknown): value is FlameQuery {
  return isScope(value) && isNumber(value['leastShare']);
}

function isSearch(value: unknown): value is FlameSearch {
  return isScope(value) && isString(value['pattern']);
}

/** What a query and a search share: the part of the recording that they are about. */
function isScope(value: unknown): value is Fields {
  return (
    isObject(value) &&
    isAbsentOr(value['zoom'], isString) &&
    isAbsentOr(value['functionId'], isCount) &&
    isAbsentOr(value['operation'], isCount) &&
    isAbsentOr(value['worstOf'], isCount) &&
    isAbsentOr(value['hide'], isCategories) &&
    isAbsentOr(value['tiers'], isTiers)
  );
}

function isAnswer(value: unknown): value is FlameAnswer {
  if (!isObject(value) || !isString(value['zoom']) || !isNumber(value['totalUs'])) return false;
  const shares = value['selfByCategory'];
  return (
    isObject(shares) &&
    frameCategories.every((category) => isNumber(shares[category])) &&
    isAbsentOr(value['tiers'], isTiersAnswer) &&
    isAbsentOr(value['operation'], isOperation) &&
    isFrameTree(value['root'])
  );
}

function isOperation(value: unknown): boolean {
  if (!isObject(value)) return false;
  return isCount(value['number']) && isNumber(value['durationUs']) && isTextOrNull(value['test']);
}

function isTiersAnswer(value: unknown): boolean {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'recorded':
      return isTimesByTier(value['selfByTier']) && Array.isArray(value['code']) && value['code'].every(isCode);
    case 'secondRun':
      return isString(value['recording']) && isTextOrNull(value['startedAt']);
    default:
      return value['type'] === 'none';
  }
}

function isCode(value: unknown): boolean {
  if (!isObject(value) || !isCount(value['functionId'])) return false;
  const { notes, deopts } = { notes: value['notes'], deopts: value['deopts'] };
  return Array.isArray(notes) && notes.every(isString) && Array.isArray(deopts) && deopts.every(isDeopt);
}

function isDeopt(value: unknown): boolean {
  return isObject(value) && isString(value['reason']) && isString(value['place']) && isCount(value['count']);
}

function isTimesByTier(value: unknown): value is Fields {
  return isObject(value) && flameTiers.every((tier) => isNumber(value[tier]));
}

function isFrameTiers(value: unknown): boolean {
  return isTimesByTier(value) && isNumber(value['inlined']) && isNumber(value['osr']);
}

function isTiers(value: unknown): boolean {
  return value === 'split' || value === 'merged';
}

/**
 * Walks the tree with a list instead of recursion: a stack of frames can be deeper than the JavaScript engine's stack.
 */
function isFrameTree(root: unknown): root is FlameFrame {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const frame = left.pop();
    if (!isFrame(frame)) return false;
    for (const child of frame.children) left.push(child);
  }
  return true;
}

/** Whether a frame's own fields are right. Its `children` may be any list. */
function isFrame(value: unknown): value is Fields & { readonly children: readonly unknown[] } {
  return (
    isObject(value) &&
    ['id', 'name', 'url'].every((key) => isString(value[key])) &&
    ['value', 'selfUs', 'functionId', 'line', 'hiddenUs'].every((key) => isNumber(value[key])) &&
    isCategory(value['category']) &&
    isAbsentOr(value['tiers'], isFrameTiers) &&
    isAbsentOr(value['figures'], isFigures) &&
    isAbsentOr(value['firstTime'], isFirstTime) &&
    isAbsentOr(value['role'], (role) => ownRoles.some((one) => one === role)) &&
    isAbsentOr(value['changed'], (changed) => changed === true) &&
    Array.isArray(value['children'])
  );
}

function isFigures(value: unknown): boolean {
  return (
    isObject(value) &&
    ['worstUs', 'longCount', 'distinctStacks'].every((key) => isNumber(value[key])) &&
    typeof value['estimated'] === 'boolean' &&
    isAbsentOr(value['waited'], isWaitOrNull)
  );
}

function isWaitOrNull(value: unknown): boolean {
  return value === null || (isObject(value) && isNumber(value['us']) && isTextOrNull(value['in']));
}

function isFirstTime(value: unknown): boolean {
  return isObject(value) && isTextOrNull(value['loads']) && (value['thenUs'] === null || isNumber(value['thenUs']));
}

function isCategory(value: unknown): boolean {
  return frameCategories.some((category) => category === value);
}

function isCategories(value: unknown): boolean {
  return Array.isArray(value) && value.every(isCategory);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isAbsentOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isString(value);
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Whether a value is a whole number of at least 0: an id, an index or a line. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
