import type { Steps, Turn } from '../../../platform/json/turns';
import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

const isEmpty = (value: unknown): boolean => value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Since 4.0 the fields of a request's body have no properties without a value. Entries of lists keep their positions. */
export function* withoutEmptyProperties(document: JsonObject, turn: Turn): Steps<JsonObject> {
  const converted: Record<string, unknown> = {};
  for (const name of ['fromConnector', 'toConnector']) {
    const container = document[name];
    if (!isJsonObject(container) || !Array.isArray(container.methods)) continue;
    const methods: unknown[] = [];
    for (const method of container.methods as unknown[]) methods.push(yield* inRequest(method, turn));
    converted[name] = { ...container, methods };
  }
  return { ...document, ...converted };
}

function* inRequest(method: unknown, turn: Turn): Steps<unknown> {
  if (!isJsonObject(method) || !isJsonObject(method.request) || !isJsonObject(method.request.body) || !('fields' in method.request.body)) return method;
  const { request } = method;
  const body = request.body as JsonObject;
  return { ...method, request: { ...request, body: { ...body, fields: yield* filled(body.fields, turn) } } };
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
