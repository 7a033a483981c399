import { isObjectLike } from 'graphql/jsutils/isObjectLike';
import type { EventualText } from './text';

/** Maximum length of all kept texts, characters. If they get longer, all are forgotten. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Maximum number of values that are checked for a text, which takes a fraction of a millisecond. */
const MAX_VALUES = 5_000;

/** What writes values of one place in an operation. */
interface Writer {
  /** Whether the texts written so far depend on nothing but the values. */
  readonly isPlain: boolean;
}

interface Execution {
  readonly errorCount: number;
  /** Undefined while no texts are kept. */
  keptTexts?: KeptTexts;
}

/**
 * Texts of values that cannot change, such as remembered records: written once for all executions of
 * a plan.
 */
export class KeptTexts {
  /** By what wrote them, and by value: both are dropped elsewhere. */
  private texts = new WeakMap<Writer, WeakMap<object, string>>();
  private characters = 0;
  private readonly constants = new WeakMap<object, boolean>();

  /** Returns the kept text of a value; otherwise writes it, and keeps the text if it cannot change. */
  write(
    value: unknown,
    writer: Writer,
    execution: Execution,
    write: () => EventualText,
  ): EventualText {
    if (!isObjectLike(value)) return write();
    const cachedText = this.texts.get(writer)?.get(value);
    if (cachedText !== undefined) return cachedText;
    if (!this.isConstant(value) || !writer.isPlain) return write();
    const errorsBefore = execution.errorCount;
    // The texts of its parts need not be kept.
    execution.keptTexts = undefined;
    try {
      const text = write();
      if (typeof text === 'string' && execution.errorCount === errorsBefore && writer.isPlain)
        this.keep(value, writer, text);
      return text;
    } finally {
      execution.keptTexts = this;
    }
  }

  /** Returns whether a value is frozen data with all that it contains, and of moderate size. */
  private isConstant(value: object): boolean {
    if (!Object.isFrozen(value)) return false;
    const cached = this.constants.get(value);
    if (cached !== undefined) return cached;
    const isConstant = countConstants(value, MAX_VALUES) !== null;
    this.constants.set(value, isConstant);
    return isConstant;
  }

  private keep(value: object, writer: Writer, text: string): void {
    this.characters += text.length;
    if (this.characters > MAX_CHARACTERS) {
      this.texts = new WeakMap();
      this.characters = text.length;
    }
    const writerTexts = this.texts.get(writer) ?? new WeakMap<object, string>();
    this.texts.set(writer, writerTexts);
    // A copy, since the text is a tree of the pieces that it was joined from.
    writerTexts.set(value, Buffer.from(text).toString());
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

const plain = new WeakSet<(...parameters: never[]) => unknown>();

/** Declares that the result of a resolver depends on nothing but the object, so that its text may be kept. */
export function markPlain<T extends (...parameters: never[]) => unknown>(resolve: T): T {
  plain.add(resolve);
  return resolve;
}

export const isPlain = (resolve: (...parameters: never[]) => unknown): boolean =>
  plain.has(resolve);
