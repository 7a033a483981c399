import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { atRequestBody, ofSteps } from './containers';

/** Since 4.0 the fields of a request's body have no properties without a value. Entries of lists keep their positions. */
export const withoutEmptyProperties = (document: JsonObject): JsonObject => ofSteps(document, (method) =>
  atRequestBody(method, (body) => (isJsonObject(body) && 'fields' in body ? { ...body, fields: filled(body.fields) } : body)));

const isEmpty = (value: unknown): boolean => value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Bodies nest a hundred levels at most by then. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]): [string, unknown] => [name, filled(field)]).filter(([, field]) => !isEmpty(field)));
}
