import type { XmlElement } from '../../../platform/xml/read-xml';
import type { BodyField, FieldValue, InvokerBody } from '../invoker';
import { attribute, childrenOf, filledAttribute, textOf } from './elements';
import type { FaultList } from './faults';

const FIELD = 'field';

export interface ReadField {
  readonly field: BodyField;
  readonly value: FieldValue;
}

/** Types of released installations. All values except those of `object` and `array` are text. */
const FIELD_TYPES: ReadonlySet<string> = new Set([
  'string',
  'array',
  'boolean',
  'object',
  'plaintext',
  'number',
  'int',
  'integer',
  'base64',
]);

/** Returns null for a body without attributes and fields. A body with fields is JSON. */
export function readBody(element: XmlElement | undefined, faults: FaultList): InvokerBody | null {
  if (!element) return null;
  const isBare = Object.keys(element.attributes).length === 0;
  if (isBare && childrenOf(element, FIELD).length === 0) return null;
  if (isBare)
    faults.warn(element, '<body> has fields and no attributes; a JSON object was assumed.');
  const [type, format, data] = isBare
    ? ['object', 'json', 'raw']
    : (['type', 'format', 'data'] as const).map((name) => attribute(element, name, faults));
  const read = readFields(element, faults);
  return bodyOf({ type: type ?? '', format: format ?? '', data: data ?? '' }, read);
}

function readFields(element: XmlElement, faults: FaultList): ReadField[] {
  const read: ReadField[] = [];
  for (const child of childrenOf(element, FIELD)) {
    const name = filledAttribute(child, 'name', faults);
    const type = child.attributes.type?.trim() ?? '';
    const within = readFields(child, faults);
    warnOfType(child, type, within.length > 0, faults);
    const text = within.length > 0 ? '' : textOf(child);
    read.push(fieldOf({ name, type, text }, within));
  }
  return read;
}

function warnOfType(
  element: XmlElement,
  type: string,
  hasFields: boolean,
  faults: FaultList,
): void {
  const isContainer = type === 'object' || type === 'array';
  if (FIELD_TYPES.has(type) && (isContainer || !hasFields)) return;
  const description = type === '' ? 'no type' : `the type "${type.slice(0, 40)}"`;
  const assumed = hasFields ? 'an object' : 'text';
  faults.warn(
    element,
    `The field "${(element.attributes.name ?? '').slice(0, 100)}" has ${description}${hasFields ? ' and fields in it' : ''}; it was read as ${assumed}.`,
  );
}

export const fieldOf = (
  { name, type, text }: Pick<BodyField, 'name' | 'type' | 'text'>,
  within: readonly ReadField[],
): ReadField => ({
  field: { name, type, text, fields: within.map(({ field }) => field) },
  value: valueOf(type, text, within),
});

export const bodyOf = (
  { type, format, data }: Pick<InvokerBody, 'type' | 'format' | 'data'>,
  read: readonly ReadField[],
): InvokerBody => ({
  type,
  format,
  data,
  fields: read.map(({ field }) => field),
  value: objectOf(read),
});

/** Of two fields with the same name the later one applies, as in JSON. */
const objectOf = (read: readonly ReadField[]): Readonly<Record<string, FieldValue>> =>
  Object.fromEntries(read.map(({ field, value }) => [field.name, value]));

/**
 * Returns the value of a field. Types other than `object` and `array` are text, or an object if
 * they have nested fields.
 */
function valueOf(type: string, text: string, within: readonly ReadField[]): FieldValue {
  if (type === 'object' || (type !== 'array' && within.length > 0)) return objectOf(within);
  if (type === 'array')
    return within.length > 0
      ? [objectOf(within)]
      : text.trim() === ''
        ? []
        : text.split(',').map((entry) => entry.trim());
  return text === 'null' ? null : text;
}
