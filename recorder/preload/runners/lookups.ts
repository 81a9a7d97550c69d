import { attempt, internal, isObject } from '../host/host.ts';

/**
 * From now on, calls `see` with the object whose property `name` is looked up, which usually happens right before a
 * method is called. The property otherwise behaves as before when it is read, called or set, and no frame of ours is on
 * the stack while the method runs. Returns a function that restores everything.
 */
export function onLookup(target: object, name: string, see: (self: object) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  const property: { value: unknown } = { value: before?.value };
  const valueOf = (): unknown => (before === undefined ? inherited(target, name) : property.value);
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? false,
    get(this: object) {
      attempt(() => see(this));
      return valueOf();
    },
    set(this: object, value: unknown) {
      if (this !== target) define(this, name, value);
      else if (before === undefined) define(target, name, value);
      else property.value = value;
    },
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, { ...before, value: property.value });
  };
}

/** Calls `see` with each value that the property gets, after it was set. */
export function onAssignment(target: object, name: string, see: (value: unknown) => void): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  const property: { value: unknown } = { value: before?.value };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? true,
    get: () => property.value,
    set: (value: unknown) => {
      property.value = value;
      attempt(() => see(value));
    },
  });
}

function inherited(target: object, name: string): unknown {
  const above: unknown = Object.getPrototypeOf(target);
  return isObject(above) ? internal(above, name) : undefined;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value });
}
