import { Conflict, Refused, TooLarge } from '../../../platform/errors/errors';
import { DEEPEST, isJsonObject, isSameJson } from '../document/json';
import type { Operation } from './json-patch';
import type { Pointer } from './pointer';
import { keyIn, parsePosition, pathInvalid, quotePointer, valueAt } from './pointer';

/**
 * Minimum characters counted for a copied value: an empty list takes more memory than its two
 * characters.
 */
const MIN_COPY_CHARACTERS = 16;
/**
 * Maximum number of values that all copies of a patch create. Limits CPU time, even if the result
 * is small.
 */
const MAX_COPIED_VALUES = 250_000;

type Container = Record<string, unknown> | unknown[];
type Member = 'path' | 'from';

/** An entry that an operation added to a list. */
export interface AddedEntry {
  readonly list: Pointer;
  readonly entry: unknown;
}

/** The empty copy of a list or object, still to be filled. */
interface EmptyCopy {
  readonly source: object;
  readonly copy: object;
  readonly depth: number;
}

/**
 * A value while a patch is applied to it. Changed parts are copied first, so the original is
 * unchanged, even if the patch fails.
 */
export class PatchedValue {
  /** Lists and objects created by this patch, which may be changed in place. */
  private readonly own = new WeakSet<object>();
  private copiedCharacters = 0;
  private copiedValues = 0;
  private position = 0;

  /**
   * @param maxCopied approximate maximum of characters that all `copy` operations create together
   */
  constructor(
    public root: unknown,
    private readonly maxCopied: number,
  ) {}

  /**
   * Applies one operation.
   * @param position of the operation in its patch
   * @returns the added entry of an `add` or `copy` into a list; else null
   * @throws Refused  PATH_IS_INVALID a path does not exist
   * @throws Conflict PATCH_TEST_FAILED
   * @throws TooLarge the copies exceed the limit
   */
  apply(operation: Operation, position: number): AddedEntry | null {
    this.position = position;
    switch (operation.op) {
      case 'add':
        return this.add(operation.path, operation.value);
      case 'remove':
        this.take(operation.path, 'path');
        return null;
      case 'replace':
        this.replace(operation.path, operation.value);
        return null;
      case 'move':
        this.move(operation.from, operation.path);
        return null;
      case 'copy':
        return this.add(operation.path, this.copy(this.require(operation.from, 'from')));
      case 'test':
        this.test(operation.path, operation.value);
        return null;
    }
  }

  private add(path: Pointer, value: unknown): AddedEntry | null {
    const name = path.at(-1);
    if (name === undefined) {
      this.root = value;
      return null;
    }
    const parent = this.parentOf(path, 'path');
    const entry = this.toOwn(value);
    if (!Array.isArray(parent)) {
      parent[name] = entry;
      return null;
    }
    const at = name === '-' ? parent.length : parsePosition(name, parent.length + 1);
    if (at === null) throw this.notFound(path, 'path');
    parent.splice(at, 0, entry);
    return { list: path.slice(0, -1), entry };
  }

  /** Removes and returns a value. */
  private take(path: Pointer, member: Member): unknown {
    const name = path.at(-1);
    if (name === undefined)
      throw pathInvalid('The whole value cannot be removed.', [this.position, member]);
    const value = this.require(path, member);
    const parent = this.parentOf(path, member);
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else Reflect.deleteProperty(parent, name);
    return value;
  }

  private replace(path: Pointer, value: unknown): void {
    const name = path.at(-1);
    if (name === undefined) {
      this.root = value;
      return;
    }
    this.require(path, 'path');
    (this.parentOf(path, 'path') as Record<string, unknown>)[name] = value;
  }

  private move(from: Pointer, path: Pointer): void {
    const isInside = from.length <= path.length && from.every((name, at) => name === path[at]);
    if (isInside && from.length < path.length)
      throw pathInvalid('A value cannot be moved into itself.', [this.position, 'path']);
    if (isInside) this.require(from, 'from');
    else this.add(path, this.take(from, 'from'));
  }

  private test(path: Pointer, value: unknown): void {
    if (isSameJson(this.require(path, 'path'), value)) return;
    throw new Conflict('PATCH_TEST_FAILED', `The value at ${quotePointer(path)} differs.`, {
      path: [this.position, 'value'],
    });
  }

  /** @throws Refused PATH_IS_INVALID there is no value at the path */
  private require(path: Pointer, member: Member): unknown {
    const value = valueAt(this.root, path);
    if (value === undefined) throw this.notFound(path, member);
    return value;
  }

  /** Returns the list or object that contains the value, copied so that it may be changed. */
  private parentOf(path: Pointer, member: Member): Container {
    this.root = this.toOwn(this.root);
    let parent = this.root;
    for (const name of path.slice(0, -1)) {
      const key = keyIn(parent, name);
      if (key === null) throw this.notFound(path, member);
      const fields = parent as Record<string, unknown>;
      parent = fields[key] = this.toOwn(fields[key]);
    }
    if (!Array.isArray(parent) && !isJsonObject(parent)) throw this.notFound(path, member);
    return parent as Container;
  }

  /** Returns the value, or a shallow copy of it that may be changed in place. */
  private toOwn(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.own.has(value)) return value;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    this.own.add(copy);
    return copy;
  }

  /** Deep copy: two parts of a document never share an object that could be changed. */
  private copy(value: unknown): unknown {
    const empty: EmptyCopy[] = [];
    const root = this.copyShallow(value, 0, empty);
    for (let next = empty.pop(); next; next = empty.pop()) {
      const { source, copy, depth } = next;
      if (Array.isArray(source))
        for (const entry of source as unknown[])
          (copy as unknown[]).push(this.copyShallow(entry, depth, empty));
      else
        for (const [name, entry] of Object.entries(source)) {
          this.copiedCharacters += name.length + 3;
          setField(copy, name, this.copyShallow(entry, depth, empty));
        }
    }
    return root;
  }

  /** Copies a scalar; adds the copy of a list or object to `empty`. */
  private copyShallow(value: unknown, depth: number, empty: EmptyCopy[]): unknown {
    this.countCopy(typeof value === 'string' ? value.length + 3 : 0);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST)
      throw new Refused('WORKFLOW_INVALID', `A workflow nests at most ${DEEPEST} levels deep.`, {
        path: [this.position, 'from'],
      });
    const copy = Array.isArray(value) ? [] : {};
    empty.push({ source: value, copy, depth: depth + 1 });
    return copy;
  }

  private countCopy(characters: number): void {
    this.copiedCharacters += Math.max(characters, MIN_COPY_CHARACTERS);
    this.copiedValues += 1;
    if (this.copiedCharacters > this.maxCopied)
      throw new TooLarge(`A patch may copy at most ${this.maxCopied} bytes.`);
    if (this.copiedValues > MAX_COPIED_VALUES)
      throw new TooLarge(
        `A patch may copy at most ${MAX_COPIED_VALUES} values. Send the whole workflow instead.`,
      );
  }

  private notFound(path: Pointer, member: Member): Refused {
    return pathInvalid(`There is no value at ${quotePointer(path)}.`, [this.position, member]);
  }
}

/** Assigning to `__proto__` would change the prototype instead of adding a field. */
function setField(object: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  else (object as Record<string, unknown>)[name] = value;
}
