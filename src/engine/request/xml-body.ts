import type { XmlNode } from '../../platform/xml/write-xml';
import { writeXml } from '../../platform/xml/write-xml';
import { isXmlText } from '../../platform/xml/xml-text';
import { EngineError } from '../errors';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from '../reference/xml-marks';
import { isList, isMap, toText } from '../value';
import type { Value, ValueMap } from '../value';

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}._-]*(?::[\p{L}_][\p{L}\p{M}\p{N}._-]*)?$/u;

/**
 * Serializes a body as XML: its only field is the root, lists become repeated elements,
 * `__oc__attributes` and `@name` fields become attributes (including namespaces). Escapes
 * everything.
 * @throws EngineError REQUEST_BODY_INVALID, VALUE_TOO_LARGE
 */
export function writeXmlBody(value: Value): string {
  const roots = isMap(value) ? Object.entries(value) : [];
  const [root] = roots;
  if (root === undefined || roots.length > 1 || isList(root[1]))
    throw invalid('A body in XML has one field, which is its root element.');
  try {
    return [...writeXml(element(...root))].join('');
  } catch (error) {
    if (error instanceof RangeError)
      throw new EngineError(
        'VALUE_TOO_LARGE',
        'A value is nested too deeply to be written as XML.',
      );
    throw error;
  }
}

function element(name: string, value: Value): XmlNode {
  if (!NAME.test(name))
    throw invalid(`${JSON.stringify(name.slice(0, 100))} cannot be the name of an element.`);
  if (!isMap(value)) return { name, text: textOf(value) };
  const attributes = attributesOf(value);
  const { [VALUE_FIELD]: content = null } = value;
  const fields = isMap(content) ? { ...value, ...content } : value;
  const children = Object.entries(fields)
    .filter(
      ([field]) => field !== VALUE_FIELD && field !== ATTRIBUTES_FIELD && !field.startsWith('@'),
    )
    .flatMap(([field, inner]) =>
      isList(inner) ? inner.map((item) => element(field, item)) : [element(field, inner)],
    );
  return { name, attributes, children, text: isMap(content) ? null : textOf(content) };
}

function attributesOf(value: ValueMap): Record<string, string> {
  const given = value[ATTRIBUTES_FIELD] ?? null;
  const own = Object.entries(value)
    .filter(([name]) => name.startsWith('@'))
    .map(([name, inner]) => [name.slice(1), inner] as const);
  const attributes: Record<string, string> = {};
  for (const [name, inner] of [...own, ...(isMap(given) ? Object.entries(given) : [])]) {
    if (!NAME.test(name))
      throw invalid(`${JSON.stringify(name.slice(0, 100))} cannot be the name of an attribute.`);
    if (inner !== null) attributes[name] = textOf(inner);
  }
  return attributes;
}

function textOf(value: Value): string {
  const text = toText(value);
  if (!isXmlText(text)) throw invalid('A value holds characters that XML cannot hold.');
  return text;
}

const invalid = (message: string): EngineError => new EngineError('REQUEST_BODY_INVALID', message);
