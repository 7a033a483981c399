import { wrapBareBody } from '../../../engine';
import { mapJson } from '../../../platform/json/map-json';
import { isJsonObject, isLegacyDocument } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { methodsIn } from '../body/connector-slots';
import { withIterators } from './loop-iterators';

const MAX_WARNINGS = 100;

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

const CONTAINERS = ['fromConnector', 'toConnector'] as const;

const methodsOf = (document: JsonObject): JsonObject[] =>
  CONTAINERS.flatMap((name) => methodsIn(document[name]));

/** Changes the methods of both containers. */
const ofMethods = (document: JsonObject, change: (method: JsonObject) => JsonObject): JsonObject =>
  CONTAINERS.reduce<JsonObject>(
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

type Conversion = (document: JsonObject) => JsonObject;

/** Before version 1.3, a body consisted of its fields only. */
function wrapBodies(document: JsonObject): JsonObject {
  return ofMethods(document, (method) => atBodies(method, wrapBareBody));
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Version 4.0: request bodies have no properties without a value. List entries keep their
 * positions.
 */
function withoutEmptyProperties(document: JsonObject): JsonObject {
  const object = (fields: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
  const bodies = new Map<JsonObject, JsonObject>();
  for (const method of methodsOf(document)) {
    const body = isJsonObject(method.request) ? method.request.body : null;
    if (isJsonObject(body) && 'fields' in body)
      bodies.set(body, { ...body, fields: mapJson(body.fields, { object }) });
  }
  return ofMethods(document, (method) =>
    changed(
      method,
      'request',
      inObject((request) =>
        changed(
          request,
          'body',
          inObject((body) => bodies.get(body) ?? body),
        ),
      ),
    ),
  );
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
const isOldestForm = (version: string | null): boolean =>
  version === null || /^\s*v?(?:0(?:\.\d+)*|1(?:\.[01](?:\.\d+)*)?)\s*$/i.test(version);

const isVersion12 = (version: string | null): boolean => /^1\.2(?:\.|$)/.test(version ?? '');

/**
 * Converts a body to the latest 4.x form, which still has two containers. A body of the 5.0 shape
 * is not treated as the oldest form.
 */
export function convertToLatest4(document: JsonObject, version: string | null): JsonObject {
  const oldest = isLegacyDocument(document) ? ALL : [];
  let body = document;
  const later = CONVERSIONS.get(isVersion12(version) ? '1.2' : (version ?? '')) ?? [];
  for (const convert of isOldestForm(version) ? oldest : later) body = convert(body);
  return body;
}

/** Returns the assumptions about an incomplete template file; each text starts with its path. */
export function assumptionsOf(connection: JsonObject, version: string | null): string[] {
  const warnings: string[] = [];
  if (isOldestForm(version) && isLegacyDocument(connection))
    warnings.push(
      version === null
        ? 'version: The version is missing; the template was read as one of the oldest form, before 1.2.'
        : `version: ${version} is older than 1.2; the template was read as one of the oldest form.`,
    );
  // Bodies of version 1.2 are always bare, so nothing is assumed.
  if (isVersion12(version)) return warnings;
  for (const name of CONTAINERS) {
    const container = connection[name];
    const methods: unknown = isJsonObject(container) ? container.methods : null;
    for (const [at, method] of (Array.isArray(methods) ? (methods as unknown[]) : []).entries()) {
      const body =
        isJsonObject(method) && isJsonObject(method.request) ? method.request.body : null;
      if (warnings.length < MAX_WARNINGS && wrapBareBody(body) !== body)
        warnings.push(
          `connection.${name}.methods.${at}.request.body: Bare JSON was read as the fields of a JSON body.`,
        );
    }
  }
  return warnings;
}
