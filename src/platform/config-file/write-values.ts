import type { Document, Scalar, YAMLSeq } from 'yaml';
import { ChangeError, isSame } from './changes';
import type { Splice } from './config-lines';
import type { ConfigNode } from './config-node';
import { meaningOf, yaml } from './parse-yaml';
import type { Plain, Value } from './parse-yaml';

const WORDS: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['on', 'off'],
];
export const NO_VALUE = 'its value must be a text, a number, true, false, null, or a list of these';

export const isPlain = (value: Value): value is Plain =>
  value === null || typeof value !== 'object';

/** Returns a new document. A map stays one in the order of its keys. */
export const newDocument = (value: unknown): Document =>
  new (yaml().Document)(value, {
    version: '1.1',
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !tag.tag.endsWith(':omap')),
  });

/** Returns the text of new keys or of a value, in lines. */
export function written(document: Document, indent = 2): string {
  const { Scalar, visit } = yaml();
  const isUnusual = (value: unknown): boolean =>
    typeof value === 'string' && /[\p{Cc}\u2028\u2029\ufeff]/u.test(value);
  visit(document, {
    Scalar(_key, node) {
      if (isUnusual(node.value)) node.type ??= Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString({
      indent,
      lineWidth: 0,
      nullStr: '',
      flowCollectionPadding: false,
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
  if (value === null) return 'null';
  const node = newDocument(value).contents as Scalar | YAMLSeq;
  if (type !== undefined) (node as Scalar).type = type;
  if (yaml().isSeq(node)) node.flow = true;
  if (!isInFlow) return written(newDocument(node));
  const list = newDocument([]).contents as unknown as YAMLSeq;
  list.flow = true;
  list.add(node);
  return written(newDocument(list)).slice(1, -1);
}

/**
 * Writes the value of a key that exists. Adds to the replacements.
 * @returns the value that the key has then: a text may keep the type of the former value
 * @throws ChangeError
 */
export function setValue(node: ConfigNode, value: Value, splices: Splice[]): Value {
  const { path, kind, isInFlow } = node;
  if (isSame(node.value(), value)) return value;
  if (kind === 'block' || kind === 'flow-block')
    throw new ChangeError(path, 'it has keys below it, which are changed by their own paths');
  if (Array.isArray(value)) return setList(node, value as readonly Value[], splices);
  if (!isPlain(value)) throw new ChangeError(path, NO_VALUE);
  const newValue = kind === 'scalar' ? typed(value, node.node as Scalar) : value;
  if (!isSame(node.value(), newValue))
    splices.push(
      replacement(node, kind === 'scalar' ? rewritten(node, newValue) : inline(newValue, isInFlow)),
    );
  return newValue;
}

function replacement({ kind, node, afterIndicator, end }: ConfigNode, text: string): Splice {
  return kind === 'empty' || kind === 'list'
    ? { start: afterIndicator, end, text: ` ${text}` }
    : { start: node?.range?.[0] ?? afterIndicator, end, text };
}

/** Returns the text of a value in the style of the one that it replaces. */
function rewritten({ node, isInFlow }: ConfigNode, value: Plain): string {
  const { type, source = '', srcToken } = node as Scalar.Parsed;
  const { Scalar } = yaml();
  if (type === Scalar.PLAIN)
    return typeof value === 'boolean' ? wordLike(source, value) : inline(value, isInFlow);
  if (value === null) return 'null';
  const text = String(value);
  if (srcToken?.type !== 'block-scalar') return inline(text, isInFlow, type);
  if (!text.includes('\n')) return inline(text, false, Scalar.QUOTE_DOUBLE);
  const scalar = new Scalar(text);
  scalar.type = type;
  const indent = /^ +(?=\S)/m.exec(srcToken.source)?.[0].length ?? srcToken.indent + 2;
  return written(newDocument({ k: scalar }), indent).replace(/^k: /, '');
}

function setList(node: ConfigNode, items: readonly Value[], splices: Splice[]): Value {
  const { kind, path, children, isInFlow } = node;
  const plain = items.map((value) => {
    if (isPlain(value)) return value;
    throw new ChangeError(path, 'entries of a list must be texts, numbers, true, false or null');
  });
  const last = children.at(-1);
  if (!kind.endsWith('list') || plain.length === 0 || last === undefined) {
    splices.push(replacement(node, inline(plain, isInFlow)));
    return plain;
  }
  if (kind === 'list' && !children.every(({ ownsLines }) => ownsLines))
    throw new ChangeError(path, 'the list is written in a way that cannot be changed here');
  const values = plain.map((value, index) =>
    index < children.length ? setValue(children[index], value, splices) : value,
  );
  const added = plain.slice(children.length);
  if (kind === 'list') {
    const [{ column, afterIndicator, node: first }] = children;
    const gap = ' '.repeat(Math.max(1, (first?.range?.[0] ?? 0) - afterIndicator));
    const texts = added.map((value) => `${' '.repeat(column)}-${gap}${inline(value)}`);
    const end = last.lastLine + 1;
    const line = children[plain.length]?.firstLine ?? end;
    splices.push({ line, removed: end - line, texts, like: node.firstLine });
  } else {
    const text = added.map((value) => `, ${inline(value, true)}`).join('');
    const start = (plain.length < children.length ? children[plain.length - 1] : last).end;
    if (start < last.end || text !== '') splices.push({ start, end: last.end, text });
  }
  return values;
}

/** Returns the value that a client means: a text keeps the type of the value that it replaces. */
function typed(input: Plain, node: Scalar): Plain {
  if (node.type !== undefined && node.type !== 'PLAIN')
    return input === null ? null : String(input);
  const before = node.value;
  if (typeof input !== 'string' || (typeof before !== 'number' && typeof before !== 'boolean'))
    return input;
  const value = meaningOf(input.trim());
  const isSameType = typeof value === typeof before;
  return isSameType && (typeof value !== 'number' || String(value) === input.trim())
    ? (value as Plain)
    : input;
}

/** `Off` for `On`: the words of a boolean stay those of its author. */
function wordLike(source: string, value: boolean): string {
  const pair = WORDS.find((words) => words.includes(source.toLowerCase())) ?? WORDS[0];
  const word = pair[value ? 0 : 1];
  if (source === source.toUpperCase() && source.length > 1) return word.toUpperCase();
  return /^[A-Z]/.test(source) ? word[0].toUpperCase() + word.slice(1) : word;
}
