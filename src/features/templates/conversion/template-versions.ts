import type { Steps, Turn } from '../../../platform/json/turns';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { atBodies, ofMethods } from './containers';
import { withoutEmptyProperties } from './empty-properties';
import { withIterators } from './loop-iterators';

/** The version whose form the bodies of templates have here: that of workflows since 5.0. */
export const TEMPLATE_VERSION = '5.0';

type Conversion = (document: JsonObject, turn: Turn) => Steps<JsonObject>;

/** Before 1.3 a body was its fields. */
const wrapped = (body: unknown): unknown => (body == null ? body : { type: 'object', format: 'json', data: 'raw', fields: body });

/** Takes no longer than to copy the lists of methods. */
function* wrapBodies(document: JsonObject): Steps<JsonObject> {
  return ofMethods(document, (method) => atBodies(method, wrapped));
}

/** By the version that wrote a template: what brings it to the next form. Versions that are not named have the form of 4.0, or that of 5.0. */
const CONVERSIONS: ReadonlyMap<string, readonly Conversion[]> = new Map([
  ['1.2', [wrapBodies, withIterators]],
  ...['3.1', '3.1.1', '3.1.2', '3.2', '3.2.1'].map((version): [string, Conversion[]] => [version, [withoutEmptyProperties]]),
]);

/** The body of a template as the 4.x line would have it by now; its two containers stay. */
export function* brought(document: JsonObject, version: string, turn: Turn): Steps<JsonObject> {
  let body = document;
  for (const convert of CONVERSIONS.get(version) ?? []) body = yield* convert(body, turn);
  return body;
}
