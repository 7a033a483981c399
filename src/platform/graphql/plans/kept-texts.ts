/** Maximum length of all kept texts, characters. If they get longer, all are forgotten. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Maximum number of values that are checked for a text, which takes a fraction of a millisecond. */
const MAX_VALUES = 5_000;

/**
 * Texts of values that cannot change, such as remembered records: written once for all executions of
 * a plan.
 */
export class KeptTexts {
  /** By value, and by what wrote it. */
  private texts = new WeakMap<object, Map<object, string>>();
  private characters = 0;
  private readonly constants = new WeakMap<object, boolean>();

  get(value: object, writer: object): string | undefined {
    return this.texts.get(value)?.get(writer);
  }

  /** Returns whether a value is frozen data with all that it contains, and of moderate size. */
  isConstant(value: object): boolean {
    if (!Object.isFrozen(value)) return false;
    const known = this.constants.get(value) ?? countConstants(value, MAX_VALUES) !== null;
    this.constants.set(value, known);
    return known;
  }

  keep(value: object, writer: object, text: string): void {
    this.characters += text.length;
    if (this.characters > MAX_CHARACTERS) {
      this.texts = new WeakMap();
      this.characters = text.length;
    }
    const known = this.texts.get(value) ?? new Map<object, string>();
    this.texts.set(value, known);
    // A copy, since the text is a tree of the pieces that it was joined from.
    known.set(writer, Buffer.from(text).toString());
  }
}

/**
 * Counts the values in frozen data. Returns null if there are more than `most`, or if anything can
 * change: getters, methods, promises, buffers.
 */
function countConstants(value: unknown, most: number): number | null {
  if (most === 0 || typeof value === 'function') return null;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 1;
  if (!Object.isFrozen(value)) return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null)
    return null;
  let count = 1;
  for (const property of Object.values(Object.getOwnPropertyDescriptors(value))) {
    const inner = 'value' in property ? countConstants(property.value, most - count) : null;
    if (inner === null) return null;
    count += inner;
  }
  return count;
}
