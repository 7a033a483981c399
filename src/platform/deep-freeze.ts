/** Freezes an object with all that it contains, except for parts of what is frozen already. */
export function deepFreeze<T extends object>(object: T): T {
  for (const value of Object.values(object)) {
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
      deepFreeze(value as object);
  }
  return Object.freeze(object);
}
