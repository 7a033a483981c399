import type { JsonObject } from '../../workflows/workflow-document.service';
import { atBodies, ofSteps } from './containers';
import { withoutEmptyProperties } from './empty-properties';
import { withIterators } from './loop-iterators';

/** The version whose form the bodies of templates have here: that of workflows since 5.0. */
export const TEMPLATE_VERSION = '5.0';

/** Before 1.3 a body was its fields. */
const wrapped = (body: unknown): unknown => (body == null ? body : { type: 'object', format: 'json', data: 'raw', fields: body });

const wrapBodies = (document: JsonObject): JsonObject => ofSteps(document, (method) => atBodies(method, wrapped));

/** By the version that wrote a template: what brings it to the next form. Versions that are not named have the form of 4.0, or that of 5.0. */
const CONVERSIONS: Readonly<Record<string, readonly ((document: JsonObject) => JsonObject)[]>> = {
  '1.2': [wrapBodies, withIterators],
  ...Object.fromEntries(['3.1', '3.1.1', '3.1.2', '3.2', '3.2.1'].map((version) => [version, [withoutEmptyProperties]])),
};

/** The body of a template as the 4.x line would have it by now; its two containers stay. */
export const brought = (document: JsonObject, version: string): JsonObject =>
  (Object.hasOwn(CONVERSIONS, version) ? CONVERSIONS[version] ?? [] : []).reduce((body, convert) => convert(body), document);
