import { attempt, internal, isObject } from '../host/host.ts';

/**
 * What `compile` returns. The error of a text that is wrong has no frame of the recorder in its stack: Node has noted its
 * place by then, so that it may be thrown again. Any other (a wrong argument) comes from `compile` itself, called once more:
 * caught and thrown, Node would show our line as its place.
 */
export function compileUnseen<Result>(compile: () => Result): Result {
  const limit = Error.stackTraceLimit;
  try {
    // Refused where `Error` is frozen.
    Reflect.set(Error, 'stackTraceLimit', limit + mostFrames);
    return compile();
  } catch (error) {
    if (isObject(error) && internal(error, 'name') === 'SyntaxError') {
      attempt(() => hideFrames(error, limit));
      throw error;
    }
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
  return compile();
}

/** At least as many frames as we have on the stack while a text is compiled. */
const mostFrames = 6;

/**
 * Others than V8 may have written the stack, as something else than a text. The limit of another context's errors is its
 * own: they keep as many frames fewer as were ours.
 */
function hideFrames(error: object, limit: number): void {
  const stack = internal(error, 'stack');
  if (typeof stack !== 'string') return;
  const lines = stack.split('\n').filter((line) => !line.includes(__filename));
  const frames = lines.findIndex((line) => line.startsWith('    at '));
  Reflect.set(
    error,
    'stack',
    lines.slice(0, frames < 0 || !(error instanceof Error) ? undefined : frames + limit).join('\n'),
  );
}
