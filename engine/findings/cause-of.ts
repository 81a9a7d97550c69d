import type { FunctionFlags } from '../functions/function-table.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import type { Cause } from './causes.ts';
import type { Finding, FindingCause } from './finding.ts';
import type { Found } from './find-findings.ts';
import type { PartMeasures } from './measure-parts.ts';

interface Known {
  readonly measures: PartMeasures;
  readonly indexes: SourceIndexes;
  readonly flags: FunctionFlags;
  /** True where sources may be read for it: only the rows that a person looks at are worth that. */
  readonly isOpen: boolean;
}

/** Share of the time that something has to have to be the cause. */
const MOST = 0.5;

/** Why the time of a cause is spent (docs/definition.md, rule 21), and what helps. */
export async function causeOf(run: Found, cause: Cause, _known: Known): Promise<Pick<Finding, 'cause' | 'remedy'>> {
  const { subject } = cause;
  if (subject.type === 'garbage') return { cause: plain('gc'), remedy: null };
  if (subject.type === 'loading') return { cause: plain('own'), remedy: null };
  if (subject.type === 'package') return { cause: { ...plain('package'), name: subject.name }, remedy: null };
  const { weight, called } = calledBy(run, cause);
  const gc = cause.allocates ? cause.gc / weight : 0;
  if (gc >= MOST) return { cause: { ...plain('allocation'), share: gc }, remedy: null };
  const [most] = [...called].toSorted(([, a], [, b]) => b - a);
  if (most !== undefined && most[1] >= MOST * weight) {
    const [key, us] = most;
    const [kind, ...name] = key.split(' ');
    return {
      cause: { kind: kind === 'node' ? 'syncCall' : 'package', name: name.join(' '), share: us / weight, line: null },
      remedy: null,
    };
  }
  return { cause: plain('own'), remedy: null };
}

function plain(kind: FindingCause['kind']): FindingCause {
  return { kind, name: null, share: 1, line: null };
}

/** Time of the packages and the functions of Node that the parts call directly, in µs. */
function calledBy(
  { ownParts, functions: { functions } }: Found,
  { parts }: Cause,
): { readonly weight: number; readonly called: ReadonlyMap<string, number> } {
  const { places } = ownParts;
  const called = new Map<string, number>();
  let weight = 0;
  for (const part of parts) {
    const first = ownParts.firstPlaceOf(part);
    weight += ownParts.weightOf(part);
    for (let place = first; place < first + ownParts.placeCountOf(part); place++) {
      for (let callee = places.firstCalleeOf(place); callee < places.firstCalleeOf(place + 1); callee++) {
        const fn = functions[places.functionOf(callee)];
        const key =
          fn?.kind === 'dependency' ? `package ${fn.packageName}` : fn?.kind === 'node' ? `node ${fn.name}` : null;
        if (key !== null) called.set(key, (called.get(key) ?? 0) + places.calleeWeightOf(callee));
      }
    }
  }
  return { weight: Math.max(1, weight), called };
}

