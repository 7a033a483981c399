/** A JSON object somebody sent. Its keys are data: `__proto__` and the like are kept as own keys, so copy with spread, never with assignment. */
export type JsonObject = { readonly [key: string]: unknown };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Does the value nest deeper than `limit` levels? Looks no deeper than that, whatever a hostile text nests. */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit < 0 || some(value, (child) => nestsDeeperThan(child, limit - 1));
}

/** Is there a text in it, at any depth, for which `wanted` holds? The value nests no deeper than a workflow may. */
export function someText(value: unknown, wanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return wanted(value);
  return typeof value === 'object' && value !== null && some(value, (child) => someText(child, wanted));
}

/** Are they the same JSON, but for the order of names? */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one)) return one.length === (other as unknown[]).length && one.every((entry, at) => isSameJson(entry, (other as unknown[])[at]));
  const names = Object.keys(one);
  return names.length === Object.keys(other).length
    && names.every((name) => Object.hasOwn(other, name) && isSameJson((one as JsonObject)[name], (other as JsonObject)[name]));
}

/** Lists and objects are walked without a copy of what is in them: documents of a million values are asked this at every save. */
function some(container: object, holds: (child: unknown) => boolean): boolean {
  if (Array.isArray(container)) return container.some(holds);
  for (const name in container) if (holds((container as JsonObject)[name])) return true;
  return false;
}
