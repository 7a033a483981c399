import type { SecretRecord } from './secret.model';

/** What the audit keeps of a secret: all but its value, of which it says when there is a new one. */
export function recorded(
  { name, note, origins, version }: SecretRecord,
  { isValueNew = false } = {},
): object {
  return { name, note, origins, version, ...(isValueNew ? { valueChanged: true } : {}) };
}
