import type { ValueMap } from '../../engine';
import type { CallBody } from './call-body';
import { listText } from './list-text';

/** What a webhook is called with. */
export interface CallParameters {
  /** A JSON object: no number in it is rounded. */
  readonly text: string;
  /** What it says, its numbers as doubles: for judging what kind of thing they are. */
  readonly values: ValueMap;
}

/** Of a query: text, or a list of texts for a name that came several times. */
export type CallQuery = Readonly<Record<string, string | readonly string[]>>;

/** As JSON. A value in brackets is a list. */
const queryValue = (value: string | readonly string[]): string =>
  typeof value === 'string' ? (listText(value) ?? JSON.stringify(value)) : JSON.stringify(value);

/**
 * The parameters of a call: those of the body, and those of the query, which win. In a JSON text the last field of a name counts, so that
 * the text of the body need not be written anew.
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
