import { mapJson } from '../../../platform/json/map-json';
import { isJsonObject } from './json';
import type { JsonObject } from './json';

/** `#AABBCC.(response).body`, which 4.x clients know as `success`. */
const BODY_OF_RESPONSE = /(#[0-9A-Fa-f]{6}\.\(response\)\.)body(?![A-Za-z0-9_])/g;

const inText = (text: string): string =>
  text.includes('.(response).body') ? text.replace(BODY_OF_RESPONSE, '$1success') : text;

/** Returns a request or script with the references that 4.x clients know. */
export function spelledFor4x(value: unknown): unknown {
  return mapJson(value, { text: inText });
}

/** Returns a field binding with the paths and references that 4.x clients know. */
export function bindingFor4x(binding: JsonObject): JsonObject {
  const { from, to, enhancement } = binding;
  return {
    ...binding,
    ...(from !== undefined && { from: endsFor4x(from) }),
    ...(to !== undefined && { to: endsFor4x(to) }),
    ...(enhancement !== undefined && { enhancement: spelledFor4x(enhancement) }),
  };
}

const endsFor4x = (ends: unknown): unknown =>
  Array.isArray(ends)
    ? ends.map((end: unknown) => (isJsonObject(end) ? endFor4x(end) : end))
    : ends;

const BODY = /^body(?=$|[.[])\.?/;

/** The 5.x editor begins the path of a field with its part: `body.id`. */
function endFor4x(end: JsonObject): JsonObject {
  const { type, field } = end;
  if (typeof field !== 'string' || !BODY.test(field)) return end;
  if (type === 'response') return { ...end, field: field.replace(/^body/, 'success') };
  return type === 'request' ? { ...end, field: field.replace(BODY, '') } : end;
}

/**
 * Replaces each text of a sent value that the client did not change by the stored one.
 * @param shown the stored value as the client saw it
 */
export function keepSpelling(sent: unknown, shown: unknown, stored: unknown): unknown {
  if (typeof sent === 'string') return sent === shown ? stored : sent;
  if (Array.isArray(sent)) {
    if (!Array.isArray(shown) || !Array.isArray(stored)) return sent as unknown[];
    const list: unknown[] = [];
    for (const [at, entry] of sent.entries())
      list.push(keepSpelling(entry, shown[at] as unknown, stored[at] as unknown));
    return list;
  }
  if (!isJsonObject(sent) || !isJsonObject(shown) || !isJsonObject(stored)) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      Object.hasOwn(shown, name) && Object.hasOwn(stored, name)
        ? keepSpelling(value, shown[name], stored[name])
        : value,
    ]),
  );
}
