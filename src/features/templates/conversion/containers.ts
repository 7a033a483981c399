import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

const CONTAINERS = ['fromConnector', 'toConnector'] as const;

/** What is not there, or is no object, stays as it is. */
const changed = (object: JsonObject, name: string, change: (value: unknown) => unknown): JsonObject =>
  (name in object ? { ...object, [name]: change(object[name]) } : object);
const inObject = (change: (value: JsonObject) => unknown) => (value: unknown): unknown => (isJsonObject(value) ? change(value) : value);
/** A list with each object in it changed; what else is in it, or is no list, is refused with its own words later. */
export const inList = (change: (value: JsonObject) => unknown) => (value: unknown): unknown => (Array.isArray(value) ? value.map(inObject(change)) : value);

/** The document with each of its two containers changed. */
export const ofContainers = (document: JsonObject, change: (container: JsonObject) => JsonObject): JsonObject =>
  CONTAINERS.reduce((body, name) => changed(body, name, inObject(change)), document);

const unchanged = (step: JsonObject): JsonObject => step;

/** The document with each method and operator changed. */
export const ofSteps = (document: JsonObject, method: (step: JsonObject) => JsonObject, operator = unchanged): JsonObject =>
  ofContainers(document, (container) => changed(changed(container, 'methods', inList(method)), 'operators', inList(operator)));

/** A method with the bodies of its request and its responses changed. */
export function atBodies(method: JsonObject, change: (body: unknown) => unknown): JsonObject {
  const result = inObject((one) => changed(one, 'body', change));
  return changed(atRequestBody(method, change), 'response', inObject((response) => changed(changed(response, 'success', result), 'fail', result)));
}

/** The same for the body of the request alone. */
export const atRequestBody = (method: JsonObject, change: (body: unknown) => unknown): JsonObject =>
  changed(method, 'request', inObject((request) => changed(request, 'body', change)));
