/**
 * A function for whether a path with `/` matches: `*` and `?` within a segment, `**` over several or none, `{a,b}`,
 * `[ab]`, `(a|b)` and the extended groups `@ + * ?`. Null where the pattern is not understood (`!(…)`, unclosed groups
 * and brackets) or too long. All ways to match are followed at once: picomatch, which backtracks, needs 9 s for six `*a`
 * in a row.
 */
export function globMatcher(pattern: string): ((path: string) => boolean) | null {
  const pieces =
    pattern.length > MAX_PATTERN ? null : piecesOf(pattern.replace(/^(\.\/)+/, '').replaceAll(/\/{2,}/g, '/'));
  if (pieces === null) return null;
  const states: State[] = [{ is: null, next: [] }];
  const start = stateBefore(pieces, end, states);
  return (path) => matches(path, start, states);
}

const MAX_PATTERN = 1000;

/** A character, any number of characters, or several ways to go on. */
type Piece = { readonly type: 'one' | 'some'; readonly is: IsCharacter } | Group;

interface Group {
  readonly type: 'group';
  readonly ways: readonly (readonly Piece[])[];
  readonly times: Times;
}

type IsCharacter = (character: string) => boolean;
type Times = '' | '?' | '*' | '+';

const token = /\*\*\/|\*\*(?!\()|[@+*?!]\(|\[[^\]]*\]|\\.|[\s\S]/g;

interface OpenGroup {
  readonly ways: Piece[][];
  readonly times: Times;
  readonly isBrace: boolean;
}

function piecesOf(pattern: string): readonly Piece[] | null {
  const whole: OpenGroup = { ways: [[]], times: '', isBrace: false };
  const open = [whole];
  for (const [text] of pattern.matchAll(token)) {
    const group = open.at(-1) ?? whole;
    const isInGroup = open.length > 1;
    if (text === '!(') return null;
    if (text === '{' || /^[@+*?]?\($/.test(text)) {
      open.push({ ways: [[]], times: timesOf(text), isBrace: text === '{' });
    } else if (isInGroup && (text === ')' || text === '}')) {
      open.pop();
      open.at(-1)?.ways.at(-1)?.push({ type: 'group', ways: group.ways, times: group.times });
    } else if (isInGroup && (text === '|' || (text === ',' && group.isBrace))) {
      group.ways.push([]);
    } else {
      const piece = plainPiece(text);
      if (piece === null) return null;
      group.ways.at(-1)?.push(piece);
    }
  }
  return open.length > 1 ? null : (whole.ways[0] ?? null);
}

function timesOf(opening: string): Times {
  const [sign] = opening;
  return sign === '?' || sign === '*' || sign === '+' ? sign : '';
}

const isAny: IsCharacter = () => true;
const isInSegment: IsCharacter = (character) => character !== '/';

/** Null for brackets that do not match. */
function plainPiece(text: string): Piece | null {
  if (text === '**') return { type: 'some', is: isAny };
  if (text === '*') return { type: 'some', is: isInSegment };
  if (text === '?') return { type: 'one', is: isInSegment };
  if (text === '**/') return { type: 'group', ways: [[{ type: 'some', is: isAny }, literal('/')]], times: '?' };
  if (text === '[') return null; // It is never closed.
  if (text.startsWith('[')) return oneOf(text.replace('[!', '[^'));
  return literal(text.length > 1 ? text.slice(1) : text);
}

function literal(wanted: string): Piece {
  return { type: 'one', is: (character) => character === wanted };
}

function oneOf(brackets: string): Piece | null {
  try {
    const expression = new RegExp(`^${brackets}$`);
    return { type: 'one', is: (character) => expression.test(character) };
  } catch {
    return null; // A range whose end comes first.
  }
}

/** A place in the pattern. The next place is reached by a character, or, where `is` is null, without one. */
interface State {
  readonly is: IsCharacter | null;
  readonly next: number[];
}

/** Index of the state in which the whole path has matched. */
const end = 0;

/** Returns the index of the state before the pieces, and adds all new states to `states`. */
function stateBefore(pieces: readonly Piece[], next: number, states: State[]): number {
  return pieces.reduceRight((after, piece) => stateBeforeOne(piece, after, states), next);
}

function stateBeforeOne(piece: Piece, next: number, states: State[]): number {
  if (piece.type === 'group') return stateBeforeGroup(piece, next, states);
  if (piece.type === 'one') return states.push({ is: piece.is, next: [next] }) - 1;
  const again: State = { is: null, next: [next] };
  const start = states.push(again) - 1;
  again.next.push(states.push({ is: piece.is, next: [start] }) - 1);
  return start;
}

function stateBeforeGroup({ ways, times }: Group, next: number, states: State[]): number {
  const again: State = { is: null, next: [next] };
  const behind = times === '*' || times === '+' ? states.push(again) - 1 : next;
  const starts = ways.map((way) => stateBefore(way, behind, states));
  if (behind !== next) again.next.push(...starts);
  if (times === '*') return behind;
  return states.push({ is: null, next: times === '?' ? [next, ...starts] : starts }) - 1;
}

function matches(path: string, start: number, states: readonly State[]): boolean {
  let reached = withoutCharacter([start], states);
  for (let at = 0; at < path.length && reached.size > 0; at += 1) {
    const character = path.charAt(at);
    const next = [...reached].flatMap((index) => {
      const state = states[index];
      return state?.is?.(character) === true ? state.next : [];
    });
    reached = withoutCharacter(next, states);
  }
  return reached.has(end);
}

/** These states, and those reached from them without a character. */
function withoutCharacter(from: readonly number[], states: readonly State[]): ReadonlySet<number> {
  const reached = new Set(from);
  // The loop also visits what is added to the set meanwhile.
  for (const index of reached) {
    const state = states[index];
    if (state?.is === null) for (const next of state.next) reached.add(next);
  }
  return reached;
}
