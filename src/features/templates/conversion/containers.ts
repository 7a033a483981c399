import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

/** What is not there, or is no object, stays as it is. */
const changed = (object: JsonObject, name: string, change: (value: unknown) => unknown): JsonObject =>
  (name in object ? { ...object, [name]: change(object[name]) } : object);
const inObject = (change: (value: JsonObject) => unknown) => (value: unknown): unknown => (isJsonObject(value) ? change(value) : value);
/** What is in the list and is no object, or is no list, is refused with its own words later. */
const inList = (change: (value: JsonObject) => unknown) => (value: unknown): unknown => (Array.isArray(value) ? value.map(inObject(change)) : value);

/** The document with the methods of its two containers changed. */
export const ofMethods = (document: JsonObject, change: (method: JsonObject) => JsonObject): JsonObject => ['fromConnector', 'toConnector'].reduce(
  (body, name) => changed(body, name, inObject((container) => changed(container, 'methods', inList(change)))), document);

/** A method with the bodies of its request and its responses changed. */
export function atBodies(method: JsonObject, change: (body: unknown) => unknown): JsonObject {
  const result = inObject((one) => changed(one, 'body', change));
  return changed(changed(method, 'request', result), 'response', inObject((response) => changed(changed(response, 'success', result), 'fail', result)));
}
