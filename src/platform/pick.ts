/** Copies the named fields. */
export const pick = <T extends object, K extends keyof T>(
  record: T,
  ...fields: readonly K[]
): Pick<T, K> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as unknown as Pick<T, K>;
