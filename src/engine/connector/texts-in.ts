/** Yields all strings in a value of any type and depth, and null for other values. */
export function* textsIn(root: unknown): Generator<string | null, void> {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    yield typeof value === 'string' ? value : null;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner ?? null);
  }
}
