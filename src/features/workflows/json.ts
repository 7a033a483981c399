/** A JSON object somebody sent. Its keys are data: `__proto__` and the like are kept as own keys, so copy with spread, never with assignment. */
export type JsonObject = { readonly [key: string]: unknown };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// These walk over documents of a million values at every save: plain loops, and nothing is copied.

/** Does the value nest deeper than `limit` levels? Looks no deeper than that, whatever a hostile text nests. */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit < 0) return true;
  if (Array.isArray(value)) {
    for (const child of value as unknown[]) if (typeof child === 'object' && nestsDeeperThan(child, limit - 1)) return true;
    return false;
  }
  for (const name in value) if (nestsDeeperThan((value as JsonObject)[name], limit - 1)) return true;
  return false;
}

/** Is there a text with `part` in it, at any depth? The value nests no deeper than a workflow may. */
export function hasText(value: unknown, part: string): boolean {
  if (typeof value === 'string') return value.includes(part);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const child of value as unknown[]) if (hasText(child, part)) return true;
    return false;
  }
  for (const name in value) if (hasText((value as JsonObject)[name], part)) return true;
  return false;
}

/** About how many characters its JSON text has. */
export function roughLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 5;
  let length = 2;
  if (Array.isArray(value)) for (const child of value as unknown[]) length += roughLength(child);
  else for (const name in value) length += name.length + 3 + roughLength((value as JsonObject)[name]);
  return length;
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
