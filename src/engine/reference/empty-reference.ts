import { isList, isMap, kindOf } from '../value';
import { printReference } from './reference';
import type { Reference, Segment } from './reference';
import { findReference } from './resolve';
import { isFailure } from './scope';
import type { Exchange, Scope } from './scope';

/** Why a reference is null although its response does not say so. */
export interface EmptyReference {
  /** The reference as written. */
  readonly path: string;
  /** Names that were there instead. */
  readonly keys: readonly string[];
  /** A sentence for users. */
  readonly reason: string;
}

/** Maximum number of names that are reported. */
const MAX_KEYS = 20;
/** Names of fields, as opposed to data that an object uses as keys. */
const FIELD_NAME = /^[@$_\p{L}][\p{L}\p{N}_$.: -]{0,63}$/u;

/**
 * Describes a reference whose value is null. Returns null if it refers to something that is there:
 * a field with the value null, an empty body, or the body of the other result (`success`, `fail`).
 */
export function describeEmpty(reference: Reference, scope: Scope): EmptyReference | null {
  const empty = (reason: string, names: readonly string[] = []): EmptyReference => ({
    path: printReference(reference),
    keys: firstFields(names),
    reason,
  });
  const exchange = scope.exchange(reference.color);
  if (exchange === undefined) return empty('its step has not run here');
  if (isOtherResult(reference, exchange)) return null;
  if (reference.part === 'header')
    return empty('there is no such header', Object.keys(exchange.headers));
  const { segments } = reference;
  for (let length = segments.length - 1; length >= 0; length -= 1) {
    const value = findReference({ ...reference, segments: segments.slice(0, length) }, scope);
    if (value === null && length > 0) continue;
    if (isList(value)) return empty(`the list there has ${value.length} elements`);
    if (!isMap(value)) return empty(`there is a value of kind ${kindOf(value)}`);
    const name = nameOf(segments[length]);
    if (name !== null && Object.hasOwn(value, name)) return null;
    return empty(
      name === null ? 'there is an object' : `there is no field ${JSON.stringify(name)}`,
      Object.keys(value),
    );
  }
  return null;
}

const isOtherResult = ({ part }: Reference, exchange: Exchange): boolean =>
  part === (isFailure(exchange) ? 'success' : 'fail');

/** Tests no more names than are reported: data may have a million keys. */
function firstFields(names: readonly string[]): string[] {
  const fields: string[] = [];
  for (const name of names) {
    if (fields.length === MAX_KEYS) break;
    if (FIELD_NAME.test(name)) fields.push(name);
  }
  return fields;
}

const nameOf = (segment: Segment): string | null =>
  segment.kind === 'field' ? segment.name : segment.kind === 'key' ? segment.key : null;
