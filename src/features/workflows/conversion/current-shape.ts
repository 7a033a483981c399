import { wrapBareBody } from '../../../engine';
import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import { fromLegacyDocument, isLegacyDocument } from './legacy-document';

/**
 * Converts a document of any version to the 5.0 shape. Returns the same object if nothing changes.
 */
export function* inCurrentShape(document: JsonObject, turn: Turn): Steps<JsonObject> {
  return yield* withWrappedBodies(
    isLegacyDocument(document) ? yield* fromLegacyDocument(document, turn) : document,
    turn,
  );
}

/** Converts request bodies that are bare JSON to the `fields` of a body. */
function* withWrappedBodies(document: JsonObject, turn: Turn): Steps<JsonObject> {
  const { fromConnector } = document;
  if (!isJsonObject(fromConnector) || !Array.isArray(fromConnector.methods)) return document;
  let isChanged = false;
  const methods: unknown[] = [];
  for (const method of fromConnector.methods as unknown[]) {
    if (turn.over) yield;
    const wrapped = withWrappedBody(method);
    isChanged ||= wrapped !== method;
    methods.push(wrapped);
  }
  return isChanged ? { ...document, fromConnector: { ...fromConnector, methods } } : document;
}

function withWrappedBody(method: unknown): unknown {
  if (!isJsonObject(method) || !isJsonObject(method.request)) return method;
  const body = wrapBareBody(method.request.body);
  return body === method.request.body
    ? method
    : { ...method, request: { ...method.request, body } };
}
