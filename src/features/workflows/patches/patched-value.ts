import { Conflict, Refused, TooLarge } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import type { Steps, Turn } from '../../../platform/event-loop';
import { DEEPEST, isJsonObject, isSameJson } from '../json';
import type { Operation } from './patch';
import type { Pointer } from './pointer';
import { pathInvalid, positionIn, printPointer, shown } from './pointer';

/**
 * Minimum characters counted for a copied value: an empty list takes more memory than its two
 * characters.
 */
const MIN_WEIGHT = 16;
/**
 * Maximum number of values that all copies of a patch create. Limits CPU time, even if the result
 * is small.
 */
export const MAX_COPIED_VALUES = 250_000;
/** Values copied between two checks of the time slice. */
const STEPS_AT_ONCE = 1_024;

type Container = Record<string, unknown> | unknown[];

/** The empty copy of a list or object, still to be filled. */
interface Copied {
  readonly source: object;
  readonly made: object;
  readonly depth: number;
}

/** Assigning to this name would change the prototype instead of adding a field. */
const PROTO = '__proto__';

function setField(object: object, name: string, value: unknown): void {
  if (name === PROTO)
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  else (object as Record<string, unknown>)[name] = value;
}

/**
 * A value while a patch is applied to it. Changed parts are copied first, so the original is
 * unchanged, even if the patch fails.
 */
export class PatchedValue {
  /** Lists and objects created by this patch, which may be changed in place. */
  private readonly own = new WeakSet<object>();
  private characters = 0;
  private values = 0;
  private position = 0;

  /**
   * @param mostCopied approximate maximum of characters that all `copy` operations create together
   */
  constructor(
    public root: unknown,
    private readonly mostCopied: number,
    private readonly turn: Turn,
  ) {}

  /**
   * Applies one operation.
   * @param position of the operation in its patch
   * @returns for an `add` or `copy` into a list: the entry and its list; else null
   * @throws Refused  PATH_IS_INVALID a path does not exist
   * @throws Conflict PATCH_TEST_FAILED
   * @throws TooLarge the copies exceed the limit
   */
  *apply(operation: Operation, position: number): Steps<Added | null> {
    this.position = position;
    switch (operation.op) {
      case 'add':
        return this.add(operation.path, operation.value);
      case 'remove':
        return (this.take(operation.path, 'path'), null);
      case 'replace':
        return this.replace(operation.path, operation.value);
      case 'move':
        return this.move(operation.from, operation.path);
      case 'copy':
        return this.add(operation.path, yield* this.copy(this.valueAt(operation.from, 'from')));
      case 'test':
        return yield* this.test(operation.path, operation.value);
    }
  }

  private add(path: Pointer, value: unknown): Added | null {
    const name = path.at(-1);
    if (name === undefined) {
      this.root = value;
      return null;
    }
    const parent = this.parentOf(path, 'path');
    const entry = this.owned(value);
    if (!Array.isArray(parent)) {
      parent[name] = entry;
      return null;
    }
    const at = name === '-' ? parent.length : positionIn(name, parent.length + 1);
    if (at === null) throw this.nothingAt(path, 'path');
    parent.splice(at, 0, entry);
    return { list: path.slice(0, -1), entry };
  }

  private take(path: Pointer, member: 'path' | 'from'): unknown {
    const name = path.at(-1);
    if (name === undefined)
      throw pathInvalid('The whole cannot be removed.', [this.position, member]);
    const value = this.valueAt(path, member);
    const parent = this.parentOf(path, member);
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else Reflect.deleteProperty(parent, name);
    return value;
  }

  private replace(path: Pointer, value: unknown): null {
    const name = path.at(-1);
    if (name === undefined) {
      this.root = value;
      return null;
    }
    this.valueAt(path, 'path');
    (this.parentOf(path, 'path') as Record<string, unknown>)[name] = value;
    return null;
  }

  private move(from: Pointer, path: Pointer): null {
    const isInside = from.length <= path.length && from.every((name, at) => name === path[at]);
    if (isInside && from.length < path.length)
      throw pathInvalid('Nothing can be moved into itself.', [this.position, 'path']);
    if (isInside) this.valueAt(from, 'from');
    else this.add(path, this.take(from, 'from'));
    return null;
  }

  private *test(path: Pointer, value: unknown): Steps<null> {
    if (yield* isSameJson(this.valueAt(path, 'path'), value, this.turn)) return null;
    throw new Conflict(
      'PATCH_TEST_FAILED',
      `The value at ${shown(printPointer(path))} is another one.`,
      { path: [this.position, 'value'] },
    );
  }

  /** Returns the value at a path; undefined if there is none. */
  find(path: Pointer): unknown {
    let value = this.root;
    for (const name of path) {
      const key = Array.isArray(value)
        ? positionIn(name, value.length)
        : isJsonObject(value) && Object.hasOwn(value, name)
          ? name
          : null;
      if (key === null) return undefined;
      value = (value as Record<string, unknown>)[key];
    }
    return value;
  }

  /** @throws Refused PATH_IS_INVALID there is no value at the path */
  private valueAt(path: Pointer, member: 'path' | 'from'): unknown {
    const value = this.find(path);
    if (value === undefined) throw this.nothingAt(path, member);
    return value;
  }

  /** The list or object that contains the value, copied so that it may be changed. */
  private parentOf(path: Pointer, member: 'path' | 'from'): Container {
    this.root = this.owned(this.root);
    let parent = this.root;
    for (const name of path.slice(0, -1)) {
      const key = Array.isArray(parent)
        ? positionIn(name, parent.length)
        : isJsonObject(parent) && Object.hasOwn(parent, name)
          ? name
          : null;
      if (key === null) throw this.nothingAt(path, member);
      parent = (parent as Record<string, unknown>)[key] = this.owned(
        (parent as Record<string, unknown>)[key],
      );
    }
    if (typeof parent !== 'object' || parent === null) throw this.nothingAt(path, member);
    return parent as Container;
  }

  /** Returns the value, or a shallow copy of it that may be changed in place. */
  private owned(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.own.has(value)) return value;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    this.own.add(copy);
    return copy;
  }

  /** Deep copy: two parts of a document never share an object that could be changed. */
  private *copy(value: unknown): Steps<unknown> {
    const waiting: Copied[] = [];
    const copyOf = (one: unknown, depth: number): unknown => {
      this.countCopied(typeof one === 'string' ? Math.max(one.length + 3, MIN_WEIGHT) : MIN_WEIGHT);
      if (typeof one !== 'object' || one === null) return one;
      if (depth >= DEEPEST)
        throw new Refused('WORKFLOW_INVALID', `A workflow nests at most ${DEEPEST} levels deep.`, {
          path: [this.position, 'from'],
        });
      const made = Array.isArray(one) ? [] : {};
      waiting.push({ source: one, made, depth: depth + 1 });
      return made;
    };
    const whole = copyOf(value, 0);
    let steps = 0;
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { source, made, depth } = next;
      if (Array.isArray(source))
        for (const entry of source as unknown[]) (made as unknown[]).push(copyOf(entry, depth));
      else
        for (const [name, entry] of Object.entries(source)) {
          this.characters += name.length + 3;
          setField(made, name, copyOf(entry, depth));
        }
      steps += Array.isArray(made) ? made.length + 1 : Object.keys(made).length + 1;
      if (steps < STEPS_AT_ONCE) continue;
      steps = 0;
      if (this.turn.over) yield;
    }
    return whole;
  }

  private countCopied(characters: number): void {
    this.characters += characters;
    this.values += 1;
    if (this.characters > this.mostCopied)
      throw new TooLarge(`What a patch copies may have ${this.mostCopied} bytes at most.`);
    if (this.values > MAX_COPIED_VALUES)
      throw new TooLarge(
        `A patch may copy ${MAX_COPIED_VALUES} values at most. Send the whole workflow instead.`,
      );
  }

  private nothingAt(path: Pointer, member: 'path' | 'from'): Refused {
    const place: InputPath = [this.position, member];
    return pathInvalid(`There is nothing at ${shown(printPointer(path))}.`, place);
  }
}

export interface Added {
  readonly list: Pointer;
  readonly entry: unknown;
}
