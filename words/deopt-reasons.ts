/**
 * The meaning of V8's reason for throwing optimized code away, in one sentence; null for an unknown reason, for which
 * V8's words are shown. Source: `deoptimize-reason.h` of V8 11 to 14, whose names are behind the words.
 */
export function meaningOf(reason: string): string | null {
  const [, what] = /^Insufficient type feedback for (.+)$/.exec(reason) ?? [];
  if (what !== undefined)
    return `This ${what} had never run before V8 optimized the function: another way through it is taken now.`;
  return meanings.get(reason) ?? null;
}

const otherShape =
  'An object had another shape (other properties, in another order, or of another class) than those that V8 had seen here: make them alike.';
const otherNumber =
  'A number did not fit the kind that V8 had seen here (small whole numbers, or whole ones of 32 bits).';
const otherType =
  'A value was of another type than those that V8 had seen here: keep the types of arguments and fields alike.';
const otherCallee = 'Another function was called here than the one that V8 had seen, and had most likely inlined.';
const changedObjects =
  'Something that V8 took for settled was changed later (a class, a prototype, or the type of a field): set objects up before they are used, and leave them so.';

const meanings: ReadonlyMap<string, string> = new Map([
  ['wrong map', otherShape], // WrongMap
  ['map changed during operation', otherShape], // WrongMapDynamic
  ['wrong instance type', otherType], // WrongInstanceType
  ['deprecated map', otherShape], // DeprecatedMap
  ['instance migration failed', otherShape], // InstanceMigrationFailed
  ['wrong name', 'A property of another name was asked for here than V8 had seen.'], // WrongName
  ['unexpected name in keyed access', 'A property of another name was asked for here than V8 had seen.'], // KeyedAccessChanged
  ['wrong enum indices', 'A for-in loop met an object with other properties than V8 had seen.'], // WrongEnumIndices
  ['wrong call target', otherCallee], // WrongCallTarget
  ['wrong call target constructor', otherCallee], // WrongConstructor
  ['wrong feedback cell', otherCallee], // WrongFeedbackCell
  ['wrong value', 'A value that was always the same is another one now.'], // WrongValue
  ['value mismatch', 'A value that was always the same is another one now.'], // ValueMismatch
  ['Storing to a constant field', 'A field that was never written again after its object was made has been written.'], // StoreToConstant
  ['const tracking let constness invalidated', 'A variable that had never changed has been assigned.'], // ConstTrackingLet
  ['not a Smi', otherNumber], // NotASmi
  ['Smi', 'A small whole number came where V8 had seen none.'], // Smi
  [
    'overflow',
    'A whole number grew beyond what V8 had seen here (31 or 32 bits): it goes on with floating-point numbers.',
  ], // Overflow
  ['lost precision', otherNumber], // LostPrecision
  ['lost precision or NaN', otherNumber], // LostPrecisionOrNaN
  ['not int32', otherNumber], // NotInt32
  ['not unsigned int32', otherNumber], // NotUint32
  ['not AdditiveSafeInteger', otherNumber], // NotAdditiveSafeInteger
  ['minus zero', 'A calculation gave −0, which is no whole number to V8.'], // MinusZero
  ['NaN', 'A calculation gave NaN.'], // NaN
  ['division by zero', 'A whole number was divided by 0.'], // DivisionByZero
  ['not a heap number', otherType], // NotAHeapNumber
  ['not a Number', otherType], // NotANumber
  ['not a Number or Oddball', otherType], // NotANumberOrOddball
  ['not a Number or Boolean', otherType], // NotANumberOrBoolean
  ['not a String', otherType], // NotAString
  ['not a String or a string wrapper', otherType], // NotAStringOrStringWrapper
  ['not a Symbol', otherType], // NotASymbol
  ['not a BigInt', otherType], // NotABigInt
  ['not a BigInt64', 'A BigInt was longer than 64 bits.'], // NotABigInt64
  ['BigInt too big', 'A BigInt was longer than V8 can hold.'], // BigIntTooBig
  ['not a JavaScript object', otherType], // NotAJavaScriptObject
  ['not a JavaScript object, Null or Undefined', otherType], // NotAJavaScriptObjectOrNullOrUndefined
  ['not an array index', 'Something else than an index was asked of an array.'], // NotAnArrayIndex
  ['out of bounds', 'An array or a string was read or written beyond its end: check the index before.'], // OutOfBounds
  ['hole', 'An array has a hole, or a variable was used before it was set: fill arrays from the start, without gaps.'], // Hole
  ['failed to grow elements store', 'An array grew faster than by appending: write its elements in order.'], // CouldNotGrowElements
  ["copy-on-write array's elements changed", 'An array written as a literal has been changed.'], // CowArrayElementsChanged
  ['the array length changed', 'The length of an array changed while it was walked through.'], // ArrayLengthChanged
  ['array buffer was detached', 'The buffer of a typed array was handed to another thread, or resized.'], // ArrayBufferWasDetached
  ['First use of catch block', 'Something was thrown here for the first time.'], // UnoptimizedCatch
  ['dependent map was deprecated', changedObjects], // MapDeprecated
  ['dependent prototype chain changed', changedObjects], // PrototypeChange
  ['dependent property cell changed', 'A global variable or property that V8 took for settled was changed.'], // PropertyCellChange
  ['dependent script context slot property changed', 'A top-level variable that V8 took for settled was changed.'], // ScriptContextSlotPropertyChange
  [
    'dependent field type constness changed',
    'A field that was never written again after its object was made has been written.',
  ], // FieldTypeConstChange
  ['dependent field type changed', changedObjects], // FieldTypeChange
  ['dependent field representation changed', changedObjects], // FieldRepresentationChange
  ['dependent initial map changed', changedObjects], // InitialMapChange
  [
    'dependent allocation site tenuring changed',
    'V8 found that what is made here lives long, and compiles it anew: nothing is wrong.',
  ], // AllocationSiteTenuringChange
  ['dependent allocation site transition changed', 'Arrays made here came to hold elements of another type.'], // AllocationSiteTransitionChange
  ['embedded weak objects cleared', 'Something that the code was made for has been collected: nothing is wrong.'], // WeakObjects
  ['(unknown)', 'V8 came back from a call to code that it had marked meanwhile: another deopt says why.'], // Unknown
  ['marked due to eager deopt', 'It was thrown away with other code, for the reason that this one has.'], // EagerDeopt
]);
