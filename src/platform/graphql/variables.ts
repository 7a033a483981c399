/** Objects and arrays inside each other. Deeper input serves nobody and costs whoever walks it. */
const MAX_DEPTH = 100;

export type Variables = Readonly<Record<string, unknown>>;

/**
 * Why these variables are refused, as a sentence; null when they are not. Level by level, so that depth itself is no danger: variables
 * come from bodies, multipart fields and socket messages alike.
 */
export function refusalOf(variables: Variables): string | null {
  let level: unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `The variables are nested more than ${MAX_DEPTH} levels deep.`;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue;
      if (Object.hasOwn(value, '__proto__')) return 'The name __proto__ is not allowed in variables.';
      for (const child of Array.isArray(value) ? value : Object.values(value)) {
        if (child !== null && typeof child === 'object') next.push(child);
      }
    }
    level = next;
  }
  return null;
}
