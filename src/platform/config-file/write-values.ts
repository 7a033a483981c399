import type { Node, Scalar } from 'yaml';
import { ChangeError, isSame } from './changes';
import type { ConfigNode } from './config-node';
import { meaningOf, yaml } from './parse-yaml';
import type { Plain, Value } from './parse-yaml';
import type { Splice } from './splice';

const WORDS: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['on', 'off'],
];
export const NO_VALUE = 'its value must be a text, a number, true, false, null, or a list of these';

export const isPlain = (value: Value): value is Plain =>
  value === null || typeof value !== 'object';

/** Returns the text of new keys or of a value, in lines. */
export function written(value: unknown, indent = 2): string {
  const { Document, Scalar, visit } = yaml();
  const document = new Document(value, {
    version: '1.1',
    // A map stays one in the order of its keys.
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !tag.tag.endsWith(':omap')),
  });
  visit(document, {
    Scalar(_key, node) {
      if (
        typeof node.value === 'string' &&
        /[\p{Cc}\u2028\u2029\ufeff]/u.test(node.value) &&
        !node.type
      )
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString({
      indent,
      lineWidth: 0,
      nullStr: '',
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    })
    .replace(/\n$/, '')
    .replaceAll(
      /[\u007f-\u009f\u2028\u2029\ufeff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** Returns a value in one line. A text that would mean something else without quotes is quoted. */
export function inline(value: Value, isInFlow = false, type?: Scalar.Type): string {
  const { Scalar } = yaml();
  if (value === null) return 'null';
  if (Array.isArray(value))
    return `[${(value as readonly Value[]).map((each) => inline(each, true)).join(', ')}]`;
  const scalar = new Scalar(value);
  if (typeof value === 'string' && type !== undefined) scalar.type = type;
  if (isInFlow && typeof value === 'string' && /[,[\]{}]/.test(value))
    scalar.type ??= Scalar.QUOTE_DOUBLE;
  return written(scalar);
}

/** Writes values of keys that exist. Collects the replacements. */
export class ValueWriter {
  readonly splices: Splice[] = [];

  /** @param source the text with all keys in use */
  constructor(private readonly source: string) {}

  /**
   * Returns the value that the key has then: a text may keep the type of the former value.
   * @throws ChangeError
   */
  set(node: ConfigNode, value: Value): Value {
    if (isSame(node.value(), value)) return value;
    const { path, kind, children } = node;
    const isBlock = kind === 'block' || kind === 'flow-block';
    const hasMerged = yaml().isMap(node.node) && node.node.items.length > children.length;
    const hasKeys = hasMerged || children.some(({ status }) => status === node.status);
    if (isBlock && (hasKeys || kind === 'flow-block'))
      throw new ChangeError(path, 'it has keys below it, which are changed by their own paths');
    if (Array.isArray(value)) return this.setList(node, value as readonly Value[]);
    if (!isPlain(value)) throw new ChangeError(path, NO_VALUE);
    return this.setPlain(node, value);
  }

  private replace(start: number, end: number, text: string): void {
    this.splices.push({ start, end, text });
  }

  private setPlain(node: ConfigNode, given: Plain): Plain {
    const { kind, end, afterIndicator, isInFlow } = node;
    const start = node.node?.range?.[0] ?? afterIndicator;
    if (kind === 'scalar') {
      const value = typed(given, node.node as Scalar);
      if (isSame(node.value(), value)) return value;
      this.replace(start, end, this.rewritten(node, value));
      return value;
    }
    if (kind === 'alias') this.replace(start, end, inline(given, isInFlow));
    // Keys below that are commented out are no part of a value.
    else if (kind === 'block') this.replace(afterIndicator, afterIndicator, ` ${inline(given)}`);
    else if (given !== null || kind !== 'empty')
      this.replace(afterIndicator, end, ` ${inline(given, isInFlow)}`);
    return given;
  }

  /** Returns the text of a value in the style of the one that it replaces. */
  private rewritten(node: ConfigNode, value: Plain): string {
    const { type, source = '' } = node.node as Scalar;
    const { Scalar } = yaml();
    if (type === undefined || type === Scalar.PLAIN)
      return typeof value === 'boolean' ? wordLike(source, value) : inline(value, node.isInFlow);
    if (value === null) return 'null';
    const text = String(value);
    if (!type.startsWith('BLOCK_')) return inline(text, node.isInFlow, type);
    if (!text.includes('\n')) return inline(text, false, Scalar.QUOTE_DOUBLE);
    const own =
      /\n( +)\S/.exec(this.source.slice(...(node.node?.range ?? [])))?.[1].length ??
      node.column + 2;
    const scalar = new Scalar(text);
    scalar.type = type as Scalar.Type;
    return written({ k: scalar }, own).replace(/^k: /, '');
  }

  private setList(node: ConfigNode, given: readonly Value[]): Value {
    const { kind, path, children, end, afterIndicator, isInFlow } = node;
    const plain = given.map((value) => {
      if (isPlain(value)) return value;
      throw new ChangeError(path, 'entries of a list must be texts, numbers, true, false or null');
    });
    const isBlock = kind === 'list';
    if ((!isBlock && kind !== 'flow-list') || plain.length === 0 || children.length === 0) {
      const isAfter = isBlock || kind === 'empty' || kind === 'block';
      const start = isAfter ? afterIndicator : (node.node?.range?.[0] ?? afterIndicator);
      this.replace(
        start,
        kind === 'block' ? start : end,
        (isAfter ? ' ' : '') + inline(plain, isInFlow),
      );
      return plain;
    }
    if (isBlock && !children.every(({ ownsLines }) => ownsLines))
      throw new ChangeError(path, 'the list is written in a way that cannot be changed here');
    const values = plain.map((value, index) =>
      index < children.length ? this.set(children[index], value) : value,
    );
    const removed = children.slice(plain.length);
    const added = plain.slice(children.length);
    const last = children[children.length - 1];
    if (!isBlock) {
      if (removed.length > 0) this.replace(children[plain.length - 1].end, last.end, '');
      if (added.length > 0)
        this.replace(last.end, last.end, added.map((value) => `, ${inline(value, true)}`).join(''));
      return values;
    }
    const [{ column, afterIndicator: dash, node: first }] = children;
    const gap = ' '.repeat(Math.max(1, ((first as Node).range?.[0] ?? 0) - dash));
    const texts = added.map((value) => `${' '.repeat(column)}-${gap}${inline(value)}`);
    const line = removed[0]?.firstLine ?? last.lastLine + 1;
    this.splices.push({ line, removed: last.lastLine + 1 - line, texts, like: node.firstLine });
    return values;
  }
}

/** Returns the value that a client means: a text keeps the type of the value that it replaces. */
function typed(given: Plain, node: Scalar): Plain {
  if (node.type !== undefined && node.type !== 'PLAIN')
    return given === null ? null : String(given);
  const before = node.value;
  if (typeof given !== 'string' || (typeof before !== 'number' && typeof before !== 'boolean'))
    return given;
  const value = meaningOf(given.trim());
  const isSameType = typeof value === typeof before;
  return isSameType && (typeof value !== 'number' || String(value) === given.trim())
    ? (value as Plain)
    : given;
}

/** `Off` for `On`: the words of a boolean stay those of its author. */
function wordLike(source: string, value: boolean): string {
  const pair = WORDS.find((words) => words.includes(source.toLowerCase())) ?? WORDS[0];
  const word = pair[value ? 0 : 1];
  if (source === source.toUpperCase() && source.length > 1) return word.toUpperCase();
  return /^[A-Z]/.test(source) ? word[0].toUpperCase() + word.slice(1) : word;
}
