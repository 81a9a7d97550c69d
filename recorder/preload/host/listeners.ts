import { EventEmitter } from 'node:events';
import { internal, isFunction, isObject } from './host.ts';

/**
 * `listeners` as an emitter keeps them in `_events`, put together by Node itself: since Node 24 its arrays carry a counter
 * of their own, and without it a listener that removes itself (`once`) while it is called takes the next one with it.
 */
export function listenerList(listeners: readonly unknown[]): unknown {
  // oxlint-disable-next-line unicorn/prefer-event-target -- It is a list of an emitter, `process`, that is wanted.
  const emitter = new EventEmitter().setMaxListeners(0);
  for (const listener of listeners) {
    if (isFunction(listener)) emitter.on('any', listener);
  }
  const events = internal(emitter, '_events');
  return isObject(events) ? internal(events, 'any') : undefined;
}
