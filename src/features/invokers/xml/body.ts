import type { Steps, Turn } from '../../../platform/json/turns';
import type { XmlElement } from '../../../platform/xml/read-xml';
import type { BodyField, FieldValue, InvokerBody } from '../invoker';
import { attribute, childrenOf, filledAttribute, textOf } from './elements';
import type { FaultList } from './faults';

const FIELD = 'field';

/** A field, and what it stands for. */
export interface ReadField {
  readonly field: BodyField;
  readonly value: FieldValue;
}

/** Null for a body without attributes and fields: it says that there is none. */
export function* readBody(element: XmlElement | undefined, faults: FaultList, turn: Turn): Steps<InvokerBody | null> {
  if (!element || (Object.keys(element.attributes).length === 0 && element.children.length === 0)) return null;
  const [type, format, data] = (['type', 'format', 'data'] as const).map((name) => attribute(element, name, faults));
  const read = yield* readFields(element, faults, turn);
  return bodyOf({ type: type ?? '', format: format ?? '', data: data ?? '' }, read);
}

function* readFields(element: XmlElement, faults: FaultList, turn: Turn): Steps<ReadField[]> {
  const read: ReadField[] = [];
  for (const child of childrenOf(element, FIELD)) {
    if (turn.over) yield;
    const [name, type] = [filledAttribute(child, 'name', faults), filledAttribute(child, 'type', faults)];
    const within = yield* readFields(child, faults, turn);
    const text = within.length > 0 ? '' : textOf(child);
    read.push(fieldOf({ name, type, text }, within));
  }
  return read;
}

/** A field with those within it. */
export const fieldOf = ({ name, type, text }: Pick<BodyField, 'name' | 'type' | 'text'>, within: readonly ReadField[]): ReadField =>
  ({ field: { name, type, text, fields: within.map(({ field }) => field) }, value: valueOf(type, text, within) });

/** A body of these fields. */
export const bodyOf = ({ type, format, data }: Pick<InvokerBody, 'type' | 'format' | 'data'>, read: readonly ReadField[]): InvokerBody =>
  ({ type, format, data, fields: read.map(({ field }) => field), value: objectOf(read) });

/** Of two fields with one name the later counts, as in JSON. */
const objectOf = (read: readonly ReadField[]): Readonly<Record<string, FieldValue>> => Object.fromEntries(read.map(({ field, value }) => [field.name, value]));

/** What a field stands for: types other than these two are always text. */
function valueOf(type: string, text: string, within: readonly ReadField[]): FieldValue {
  if (type === 'object') return objectOf(within);
  if (type === 'array') return within.length > 0 ? [objectOf(within)] : text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
  return text === 'null' ? null : text;
}
