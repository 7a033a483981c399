import { wrapBareBody } from '../../../engine';
import type { Steps, Turn } from '../../../platform/event-loop';
import { isJsonObject, isLegacyDocument } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { withIterators } from './loop-iterators';

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Version 4.0: request bodies have no properties without a value. List entries keep their
 * positions.
 */
function* withoutEmptyProperties(document: JsonObject, turn: Turn): Steps<JsonObject> {
  const converted: Record<string, unknown> = {};
  for (const name of ['fromConnector', 'toConnector']) {
    const container = document[name];
    if (!isJsonObject(container) || !Array.isArray(container.methods)) continue;
    const methods: unknown[] = [];
    for (const method of container.methods as unknown[])
      methods.push(yield* inRequest(method, turn));
    converted[name] = { ...container, methods };
  }
  return { ...document, ...converted };
}

function* inRequest(method: unknown, turn: Turn): Steps<unknown> {
  if (
    !isJsonObject(method) ||
    !isJsonObject(method.request) ||
    !isJsonObject(method.request.body) ||
    !('fields' in method.request.body)
  )
    return method;
  const { request } = method;
  const body = request.body as JsonObject;
  return {
    ...method,
    request: { ...request, body: { ...body, fields: yield* filled(body.fields, turn) } },
  };
}

function* filled(value: unknown, turn: Turn): Steps<unknown> {
  if (turn.over) yield;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value as unknown[]) list.push(yield* filled(entry, turn));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const kept = yield* filled(field, turn);
    if (!isEmpty(kept)) fields.push([name, kept]);
  }
  return Object.fromEntries(fields);
}

/** Changes a field; a missing field stays missing. */
const changed = (
  object: JsonObject,
  name: string,
  change: (value: unknown) => unknown,
): JsonObject => (name in object ? { ...object, [name]: change(object[name]) } : object);
const inObject =
  (change: (value: JsonObject) => unknown) =>
  (value: unknown): unknown =>
    isJsonObject(value) ? change(value) : value;
/** Changes the objects of a list. Invalid input is kept; a later check reports it. */
const inList =
  (change: (value: JsonObject) => unknown) =>
  (value: unknown): unknown =>
    Array.isArray(value) ? value.map(inObject(change)) : value;

/** Changes the methods of both containers. */
const ofMethods = (document: JsonObject, change: (method: JsonObject) => JsonObject): JsonObject =>
  ['fromConnector', 'toConnector'].reduce(
    (body, name) =>
      changed(
        body,
        name,
        inObject((container) => changed(container, 'methods', inList(change))),
      ),
    document,
  );

/** Changes the bodies of the request and the responses of a method. */
function atBodies(method: JsonObject, change: (body: unknown) => unknown): JsonObject {
  const result = inObject((one) => changed(one, 'body', change));
  return changed(
    changed(method, 'request', result),
    'response',
    inObject((response) => changed(changed(response, 'success', result), 'fail', result)),
  );
}

/** The version of stored template bodies: that of workflows since 5.0. */
export const TEMPLATE_VERSION = '5.0';

type Conversion = (document: JsonObject, turn: Turn) => Steps<JsonObject>;

/** Before version 1.3, a body consisted of its fields only. */
function* wrapBodies(document: JsonObject): Steps<JsonObject> {
  return ofMethods(document, (method) => atBodies(method, wrapBareBody));
}

const FROM_3: readonly Conversion[] = [withoutEmptyProperties];
/**
 * Conversions by the version that wrote a template. All other versions already have the form of 4.0
 * or 5.0.
 */
const CONVERSIONS: ReadonlyMap<string, readonly Conversion[]> = new Map([
  ['1.2', [wrapBodies, withIterators]],
  ...['3.1', '3.1.1', '3.1.2', '3.2', '3.2.1'].map((version): [string, readonly Conversion[]] => [
    version,
    FROM_3,
  ]),
]);
const ALL: readonly Conversion[] = [wrapBodies, withIterators, ...FROM_3];

/** Templates without a version, or before 1.2, have the oldest form. */
export const isOldestForm = (version: string | null): boolean =>
  version === null || /^\s*v?(?:0(?:\.\d+)*|1(?:\.[01](?:\.\d+)*)?)\s*$/i.test(version);

export const isVersion12 = (version: string | null): boolean => /^1\.2(?:\.|$)/.test(version ?? '');

/**
 * Converts a body to the latest 4.x form, which still has two containers. A body of the 5.0 shape
 * is not treated as the oldest form.
 */
export function* brought(
  document: JsonObject,
  version: string | null,
  turn: Turn,
): Steps<JsonObject> {
  const oldest = isLegacyDocument(document) ? ALL : [];
  let body = document;
  const later = CONVERSIONS.get(isVersion12(version) ? '1.2' : (version ?? '')) ?? [];
  for (const convert of isOldestForm(version) ? oldest : later) body = yield* convert(body, turn);
  return body;
}
