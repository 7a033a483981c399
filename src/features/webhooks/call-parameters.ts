import type { ValueMap } from '../../engine';
import type { CallBody } from './call-body';
import { listText } from './list-text';

export interface CallParameters {
  /** A JSON object with its numbers as they were sent. */
  readonly text: string;
  /** The parsed parameters, with numbers as doubles: for type checks only. */
  readonly values: ValueMap;
}

/** Query parameters: a string, or an array if the name occurs several times. */
export type CallQuery = Readonly<Record<string, string | readonly string[]>>;

/** As JSON; a value in brackets becomes a list. */
const queryValue = (value: string | readonly string[]): string =>
  typeof value === 'string' ? (listText(value) ?? JSON.stringify(value)) : JSON.stringify(value);

/**
 * Merges the parameters of body and query; the query wins. Appends the query to the JSON text of
 * the body, where the last of duplicate fields counts.
 */
export function callParameters(query: CallQuery, body: CallBody | null): CallParameters {
  const fields = Object.entries(query).map(
    ([name, value]) => `${JSON.stringify(name)}:${queryValue(value)}`,
  );
  const ofQuery = `{${fields.join(',')}}`;
  const values = JSON.parse(ofQuery) as ValueMap;
  if (body === null) return { text: ofQuery, values };
  const inner = body.text.trim().slice(1, -1).trim();
  const all = [...(inner === '' ? [] : [inner]), ...fields];
  return { text: `{${all.join(',')}}`, values: { ...body.values, ...values } };
}
