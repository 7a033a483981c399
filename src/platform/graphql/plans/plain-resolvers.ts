const plain = new WeakSet<(...parameters: never[]) => unknown>();

/** Declares that the result of a resolver depends on nothing but the object, so that its text may be kept. */
export function markPlain<T extends (...parameters: never[]) => unknown>(resolve: T): T {
  plain.add(resolve);
  return resolve;
}

export const isPlain = (resolve: (...parameters: never[]) => unknown): boolean =>
  plain.has(resolve);
