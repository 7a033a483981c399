import type { Document, YAMLMap } from 'yaml';
import { ChangeError } from './changes';
import type { Change } from './changes';
import { isEntry } from './config-node';
import type { Splice } from './config-lines';
import type { ConfigNode, ConfigText } from './config-node';
import { yaml } from './parse-yaml';
import { isPlain, newDocument, NO_VALUE, written } from './write-values';

const DEFAULT_INDENT = 2;
const MAX_KEY_LENGTH = 200;
/** Entries of a list that are sent each with its path. */
const MAX_ENTRIES = 10_000;

/** New keys below an existing one, all in use or not. */
interface Group {
  readonly parent: ConfigNode | null;
  readonly status: 'active' | 'inactive';
  readonly keys: Document;
}

/** Collects new keys by the key below which they are added. */
export class KeyWriter {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly text: ConfigText) {}

  /**
   * Returns the key below which the new one is added; null for the root.
   * @throws ChangeError
   */
  add({ path, key, value, status = 'active' }: Change): ConfigNode | null {
    if (value === undefined)
      throw new ChangeError(path, 'there is no such key, and no value was sent');
    if (!isPlain(value) && !Array.isArray(value)) throw new ChangeError(path, NO_VALUE);
    const parent = this.parentOf(path);
    const keys = keysOf(path.slice(parent?.path.length ?? 0).replace(/^\./, ''), key);
    // Entries are added to the ones that a list has.
    if (parent?.kind === 'list' && typeof keys[0] === 'number') keys[0] -= parent.children.length;
    if (keys.length === 0 || !keys.every(isKey))
      throw new ChangeError(path, 'this is not the path of a key');
    const id = `${status} ${parent?.path ?? ''}`;
    const group = this.groups.get(id) ?? {
      parent,
      status,
      keys: newDocument(typeof keys[0] === 'number' ? [] : {}),
    };
    this.groups.set(id, group);
    try {
      group.keys.setIn(keys, value);
    } catch {
      throw new ChangeError(path, 'other keys that were sent leave no place for it');
    }
    return parent;
  }

  /** Returns the closest key above a path. */
  private parentOf(path: string): ConfigNode | null {
    for (let end = path.length - 1; end > 0; end -= 1) {
      const above = /[.[]/.test(path[end]) ? this.text.byPath.get(path.slice(0, end)) : undefined;
      if (above !== undefined) return above;
    }
    return null;
  }

  splices(): Splice[] {
    return [...this.groups.values()].map((group) => this.insertion(group));
  }

  private insertion({ parent, status, keys }: Group): Splice {
    if (parent?.kind === 'flow-block') {
      (keys.contents as YAMLMap).flow = true;
      const start = parent.children.at(-1)?.end ?? (parent.node?.range?.[0] ?? 0) + 1;
      const text = written(keys).slice(1, -1);
      return { start, end: start, text: parent.children.length === 0 ? text : `, ${text}` };
    }
    const isFree =
      parent === null ||
      parent.kind === (yaml().isSeq(keys.contents) ? 'list' : 'block') ||
      (parent.kind === 'empty' && !isEntry(parent));
    if (!isFree) throw new ChangeError(parent.path, 'it has a value, so no key can stand below it');
    const { roots, all, starts, lines } = this.text;
    const indented = all.find(
      (node) => !node.isInFlow && node.parent?.kind === 'block' && node.column > node.parent.column,
    );
    const step = indented?.parent ? indented.column - indented.parent.column : DEFAULT_INDENT;
    // Merge keys are no children.
    const [first] = parent?.kind === 'block' ? (parent.node?.range ?? []) : [];
    const column =
      (parent === null ? roots : parent.children)[0]?.column ??
      (first === undefined
        ? parent && parent.column + step
        : first - starts.findLast((start) => start <= first)!) ??
      0;
    const texts = written(keys, step)
      .split('\n')
      .map((line) => ' '.repeat(column) + line);
    const last =
      parent?.lastLine ??
      (roots.length === 0 ? lines.length - 1 : Math.max(...all.map(({ lastLine }) => lastLine)));
    return { line: last + 1, texts, like: parent?.firstLine, status };
  }
}

/** Splits a path into keys: `a.b[0]` to `a`, `b`, 0. */
function keysOf(path: string, last?: string): (string | number)[] {
  const parent = last === undefined || !path.endsWith(last) ? path : path.slice(0, -last.length);
  const isWhole = parent === path || !(parent === '' || parent.endsWith('.'));
  const names = (isWhole ? path : parent).split(/\.|(?=\[\d+\])/).filter((name) => name !== '');
  const keys = names.map((name) => (isEntry({ key: name }) ? Number(name.slice(1, -1)) : name));
  return isWhole ? keys : [...keys, last as string];
}

const isKey = (key: string | number): boolean =>
  typeof key === 'number'
    ? key >= 0 && key < MAX_ENTRIES
    : key.trim() === key && !/[\p{Cc}#]/u.test(key) && key.length <= MAX_KEY_LENGTH;
