import { BadInput, NotFound } from '../../platform/errors/errors';
import { namedTwice } from '../../platform/errors/findings';
import type { XmlElement } from '../../platform/xml/read-xml';
import { isXmlText } from '../../platform/xml/write-xml';
import { childrenOf, elementOf, replaced } from './xml/elements';

interface NewField {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** Fields to add to an operation, with the names of the released line. */
export interface FieldPatch {
  /** Name of the operation. */
  readonly method: string;
  /**
   * `(request)`, `(response.success)` or `(response.fail)`, then the names of the enclosing fields,
   * separated by dots.
   */
  readonly path: string;
  readonly fields: readonly NewField[];
}

const PLACES = ['(request)', '(response.success)', '(response.fail)'] as const;
type Place = (typeof PLACES)[number];

/** Types of fields that contain other fields. */
const CONTAINERS: ReadonlySet<string> = new Set(['object', 'array']);
const NEW_BODY = { type: 'object', format: 'json', data: 'raw' };

export const operationNotFound = (invoker: string, method: string): NotFound =>
  new NotFound(
    'METHOD_NOT_FOUND_IN_INVOKER',
    `The invoker ${invoker} has no operation called ${method.slice(0, 255)}.`,
    { path: ['method'] },
  );

const pathInvalid = (message: string): BadInput =>
  new BadInput('PATH_IS_INVALID', message, { path: ['path'] });

/**
 * Changes the XML tree, not the parsed definition, so that nothing in the file is lost.
 * @param invoker its name, for error messages
 * @throws NotFound METHOD_NOT_FOUND_IN_INVOKER
 * @throws BadInput PATH_IS_INVALID, INVOKER_INVALID, NAMED_TWICE
 */
export function patchXml(
  invoker: string,
  root: XmlElement,
  { method, path, fields }: FieldPatch,
): XmlElement {
  const list = childrenOf(root, 'operations').find((one) => operationIn(one, method));
  const operation = list && operationIn(list, method);
  if (!operation) throw operationNotFound(invoker, method);
  requireWritable(fields);
  const place = PLACES.find((prefix) => path === prefix || path.startsWith(`${prefix}.`));
  if (!place) throw pathInvalid(`The path must start with one of ${PLACES.join(', ')}.`);
  // `tickets[]` and `tickets[0]` are the same field.
  const names = path
    .slice(place.length + 1)
    .split('.')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\[[^[\]]*\]$/, ''));
  const withBody = (parent: XmlElement): XmlElement => {
    const [body] = childrenOf(parent, 'body');
    const before = body ?? elementOf('body', {}, '');
    const isBare = Object.keys(before.attributes).length === 0;
    return replaced(parent, body, {
      ...before,
      attributes: isBare ? NEW_BODY : before.attributes,
      children: withFields(before.children, names, fields),
    });
  };
  return replaced(
    root,
    list,
    replaced(list, operation, changed(operation, place, method, withBody)),
  );
}

const operationIn = (list: XmlElement, method: string): XmlElement | undefined =>
  childrenOf(list, 'operation').find(({ attributes }) => attributes.name?.trim() === method);

function changed(
  operation: XmlElement,
  place: Place,
  method: string,
  change: (parent: XmlElement) => XmlElement,
): XmlElement {
  const [request] = childrenOf(operation, 'request');
  if (place === '(request)')
    return replaced(operation, request, change(request ?? elementOf('request', {}, '')));
  const [response] = childrenOf(operation, 'response');
  const [result] = childrenOf(response, place === '(response.success)' ? 'success' : 'fail');
  if (!response || !result) throw pathInvalid(`The operation ${method} declares no such response.`);
  return replaced(operation, response, replaced(response, result, change(result)));
}

const isField = ({ name }: XmlElement): boolean => name === 'field';
const nameOf = ({ attributes }: XmlElement): string => attributes.name?.trim() ?? '';

function withFields(
  children: readonly XmlElement[],
  [name, ...rest]: readonly string[],
  added: readonly NewField[],
): readonly XmlElement[] {
  if (name === undefined) return added.reduce<readonly XmlElement[]>(withField, children);
  const at = children.findIndex((child) => isField(child) && nameOf(child) === name);
  const parent = children[at];
  if (
    !parent ||
    (!CONTAINERS.has(parent.attributes.type?.trim() ?? '') && !parent.children.some(isField))
  )
    throw pathInvalid(`There is no object at ${name.slice(0, 255)}.`);
  return children.with(at, {
    ...parent,
    text: '',
    children: withFields(parent.children, rest, added),
  });
}

function withField(
  children: readonly XmlElement[],
  { name, type, value }: NewField,
): readonly XmlElement[] {
  const at = children.findIndex((child) => isField(child) && nameOf(child) === name);
  const nested = CONTAINERS.has(type) ? (children[at]?.children ?? []) : [];
  const field = elementOf(
    'field',
    { ...children[at]?.attributes, name, type },
    nested.length > 0 ? '' : (value ?? ''),
    nested,
  );
  return at < 0 ? [...children, field] : children.with(at, field);
}

function requireWritable(fields: readonly NewField[]): void {
  const problems = fields.flatMap((field, at) =>
    (['name', 'type', 'value'] as const).flatMap((part) => {
      const text = field[part] ?? '';
      const isMissing = part !== 'value' && text.trim() === '';
      if (!isMissing && isXmlText(text)) return [];
      const message = isMissing
        ? `The ${part} of the field is missing.`
        : `The ${part} has characters that XML cannot contain.`;
      return [{ code: 'INVOKER_INVALID' as const, path: ['fields', at, part], message }];
    }),
  );
  if (problems.length > 0)
    throw new BadInput('INVOKER_INVALID', 'The fields are invalid.', { problems });
  const duplicates = namedTwice(
    fields.map(({ name }) => name),
    (at) => ['fields', at, 'name'],
  );
  if (duplicates.length > 0)
    throw new BadInput('BAD_REQUEST', 'A field is there twice.', { problems: duplicates });
}
