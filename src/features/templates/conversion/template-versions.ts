import { wrapBareBody } from '../../../engine';
import type { Steps, Turn } from '../../../platform/json/turns';
import { isLegacyDocument } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { atBodies, ofMethods } from './containers';
import { withoutEmptyProperties } from './empty-properties';
import { withIterators } from './loop-iterators';

/** The version whose form the bodies of templates have here: that of workflows since 5.0. */
export const TEMPLATE_VERSION = '5.0';

type Conversion = (document: JsonObject, turn: Turn) => Steps<JsonObject>;

/** Before 1.3 a body was its fields. */
function* wrapBodies(document: JsonObject): Steps<JsonObject> {
  return ofMethods(document, (method) => atBodies(method, wrapBareBody));
}

const FROM_3: readonly Conversion[] = [withoutEmptyProperties];
/** By the version that wrote a template: what brings it to the next form. Versions that are not named have the form of 4.0, or that of 5.0. */
const CONVERSIONS: ReadonlyMap<string, readonly Conversion[]> = new Map([
  ['1.2', [wrapBodies, withIterators]],
  ...['3.1', '3.1.1', '3.1.2', '3.2', '3.2.1'].map((version): [string, readonly Conversion[]] => [version, FROM_3]),
]);
const ALL: readonly Conversion[] = [wrapBodies, withIterators, ...FROM_3];

/** A template without a version, or from before 1.2, is of the oldest form. */
export const isOldestForm = (version: string | null): boolean => version === null || /^\s*v?(?:0(?:\.\d+)*|1(?:\.[01](?:\.\d+)*)?)\s*$/i.test(version);

export const isVersion12 = (version: string | null): boolean => /^1\.2(?:\.|$)/.test(version ?? '');

/** The body of a template as the 4.x line would have it by now; its two containers stay. One that has the 5.0 shape already is of no older version. */
export function* brought(document: JsonObject, version: string | null, turn: Turn): Steps<JsonObject> {
  const oldest = isLegacyDocument(document) ? ALL : [];
  let body = document;
  const later = CONVERSIONS.get(isVersion12(version) ? '1.2' : version ?? '') ?? [];
  for (const convert of isOldestForm(version) ? oldest : later) body = yield* convert(body, turn);
  return body;
}
