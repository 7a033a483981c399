import { Conflict, Refused, TooLarge } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import type { Steps, Turn } from '../../../platform/json/turns';
import { DEEPEST, isJsonObject, isSameJson } from '../json';
import type { Operation } from './patch';
import type { Pointer } from './pointer';
import { pathInvalid, positionIn, printPointer, shown } from './pointer';

/** Characters that a copied value counts at least: an empty list takes more memory than the two it is written with. */
const MIN_WEIGHT = 16;

type Container = Record<string, unknown> | unknown[];

/**
 * A value while a patch is applied to it. What the patch changes is copied first, so the value it began with stays as it was, and whoever has
 * met a failure has changed nothing.
 */
export class PatchedValue {
  /** Lists and objects that this patch has made: they can be changed in place. */
  private readonly own = new WeakSet<object>();
  private copied = 0;
  private position = 0;

  /** @param mostCopied characters, about, that all `copy` together may make */
  constructor(public root: unknown, private readonly mostCopied: number, private readonly turn: Turn) {}

  /**
   * @param position of the operation in its patch
   * @returns for an `add`, or a `copy`, into a list: the entry and where it was put
   * @throws Refused  PATH_IS_INVALID there is nothing at a path
   * @throws Conflict PATCH_TEST_FAILED
   * @throws TooLarge copies grow beyond what is allowed
   */
  *apply(operation: Operation, position: number): Steps<Added | null> {
    this.position = position;
    switch (operation.op) {
      case 'add': return this.add(operation.path, operation.value);
      case 'remove': return this.take(operation.path, 'path'), null;
      case 'replace': return this.replace(operation.path, operation.value);
      case 'move': return this.move(operation.from, operation.path);
      case 'copy': return this.add(operation.path, yield* this.copy(this.valueAt(operation.from, 'from'), 0));
      case 'test': return yield* this.test(operation.path, operation.value);
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
    if (name === undefined) throw pathInvalid('The whole cannot be removed.', [this.position, member]);
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
    if (isInside && from.length < path.length) throw pathInvalid('Nothing can be moved into itself.', [this.position, 'path']);
    if (isInside) this.valueAt(from, 'from');
    else this.add(path, this.take(from, 'from'));
    return null;
  }

  private *test(path: Pointer, value: unknown): Steps<null> {
    if (yield* isSameJson(this.valueAt(path, 'path'), value, this.turn)) return null;
    throw new Conflict('PATCH_TEST_FAILED', `The value at ${shown(printPointer(path))} is another one.`, { path: [this.position, 'value'] });
  }

  /** The value there. */
  private valueAt(path: Pointer, member: 'path' | 'from'): unknown {
    let value = this.root;
    for (const name of path) {
      if (Array.isArray(value)) {
        const at = positionIn(name, value.length);
        if (at === null) throw this.nothingAt(path, member);
        value = value[at];
      } else if (isJsonObject(value) && Object.hasOwn(value, name)) value = value[name];
      else throw this.nothingAt(path, member);
    }
    return value;
  }

  /** The list or object that holds the value, to be changed. */
  private parentOf(path: Pointer, member: 'path' | 'from'): Container {
    this.root = this.owned(this.root);
    let parent = this.root;
    for (const name of path.slice(0, -1)) {
      const key = Array.isArray(parent) ? positionIn(name, parent.length) : isJsonObject(parent) && Object.hasOwn(parent, name) ? name : null;
      if (key === null) throw this.nothingAt(path, member);
      parent = (parent as Record<string, unknown>)[key] = this.owned((parent as Record<string, unknown>)[key]);
    }
    if (typeof parent !== 'object' || parent === null) throw this.nothingAt(path, member);
    return parent as Container;
  }

  /** The same value, as one that can be changed in place. */
  private owned(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value as unknown[]] : { ...value };
    this.own.add(copy);
    return copy;
  }

  /** Copied whole: two places of one document share nothing that could be changed. */
  private *copy(value: unknown, depth: number): Steps<unknown> {
    if (this.turn.over) yield;
    this.grow(typeof value === 'string' ? Math.max(value.length + 3, MIN_WEIGHT) : MIN_WEIGHT);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) throw new Refused('WORKFLOW_INVALID', `A workflow nests at most ${DEEPEST} levels deep.`, { path: [this.position, 'from'] });
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const entry of value as unknown[]) list.push(yield* this.copy(entry, depth + 1));
      return list;
    }
    const fields: [string, unknown][] = [];
    for (const [name, entry] of Object.entries(value)) {
      this.grow(name.length + 3);
      fields.push([name, yield* this.copy(entry, depth + 1)]);
    }
    return Object.fromEntries(fields);
  }

  private grow(characters: number): void {
    this.copied += characters;
    if (this.copied > this.mostCopied) throw new TooLarge(`What a patch copies may have ${this.mostCopied} bytes at most.`);
  }

  private nothingAt(path: Pointer, member: 'path' | 'from'): Refused {
    const place: InputPath = [this.position, member];
    return pathInvalid(`There is nothing at ${shown(printPointer(path))}.`, place);
  }
}

/** An entry that was put into a list. */
export interface Added {
  readonly list: Pointer;
  readonly entry: unknown;
}
