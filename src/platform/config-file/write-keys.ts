import { ChangeError } from './changes';
import { sharedScalars } from './config-text';
import type { ConfigText, Value } from './config-text';
import type { Entry } from './entry';
import type { Plain } from './scalars';
import type { Splice } from './splice';

/** New keys below an existing one: a value, or further keys. */
export interface NewKeys {
  value: Value | undefined;
  readonly below: Map<string, NewKeys>;
}

const DEFAULT_INDENT = 2;

/** Returns how far keys are indented in this file. */
function indentStep({ roots }: ConfigText): number {
  const search = (entries: readonly Entry[]): number | null => {
    for (const { kind, column, children } of entries) {
      if (kind === 'block' && children[0].column > column) return children[0].column - column;
      const found = search(children);
      if (found !== null) return found;
    }
    return null;
  };
  return search(roots) ?? DEFAULT_INDENT;
}

const isKey = /^[\p{L}\p{N}_][\p{L}\p{N}_.[\]/-]*$/u;
const keyText = (key: string): string =>
  isKey.test(key) ? sharedScalars().write(key) : JSON.stringify(key);

function linesOfKeys(keys: ReadonlyMap<string, NewKeys>, column: number, step: number): string[] {
  return [...keys].flatMap(([key, { value, below }]) => {
    const margin = ' '.repeat(column);
    const isEntry = /^\[\d+\]$/.test(key);
    const start = isEntry ? `${margin}-` : `${margin}${keyText(key)}:`;
    if (below.size > 0) {
      const lines = linesOfKeys(below, column + (isEntry ? 2 : step), step);
      return isEntry ? [`${start} ${lines[0].trimStart()}`, ...lines.slice(1)] : [start, ...lines];
    }
    if (Array.isArray(value) && value.length > 0)
      return [
        start,
        ...(value as Plain[]).map(
          (each) => `${' '.repeat(column + step)}- ${sharedScalars().write(each)}`,
        ),
      ];
    if (value === undefined || value === null) return [start];
    return [`${start} ${Array.isArray(value) ? '[]' : sharedScalars().write(value as Plain)}`];
  });
}

/** Returns the line after everything that stands below this key, or in the file. */
function lineAfter(text: ConfigText, parent: Entry | null): number {
  const last = text.lastLineOf(parent);
  return last < 0 ? text.lines.length : last + 1;
}

/** Inserts new keys after the last one of their parent. */
export function insertKeys(
  text: ConfigText,
  parent: Entry | null,
  keys: ReadonlyMap<string, NewKeys>,
): Splice {
  const step = indentStep(text);
  const insert = (column: number): Splice => ({
    kind: 'lines',
    line: lineAfter(text, parent),
    texts: linesOfKeys(keys, column, step),
  });
  if (parent === null) return insert(text.roots[0]?.column ?? 0);
  if (parent.kind === 'flow-block') return insertIntoFlow(parent, keys);
  if (
    parent.kind === 'block' ||
    (parent.kind === 'list' && [...keys.keys()].every((key) => key.startsWith('[')))
  )
    return insert(parent.children[0].column);
  if (parent.kind === 'empty' && !parent.isListEntry) {
    const inactive = text.inactive.find((block) => block.parent === parent);
    return insert(inactive?.column ?? parent.column + step);
  }
  throw new ChangeError(parent.path, 'it has a value, so no key can stand below it');
}

function insertIntoFlow(parent: Entry, keys: ReadonlyMap<string, NewKeys>): Splice {
  const texts = [...keys].map(([key, { value, below }]) => {
    if (below.size > 0 || Array.isArray(value))
      throw new ChangeError(parent.path, 'only single values can be added to keys in braces');
    return `${keyText(key)}: ${sharedScalars().write((value ?? null) as Plain, true)}`;
  });
  const last = parent.children.at(-1);
  const at = last?.end ?? (parent.token?.offset ?? parent.end) + 1;
  return {
    kind: 'text',
    start: at,
    end: at,
    text: (last === undefined ? '' : ', ') + texts.join(', '),
  };
}
