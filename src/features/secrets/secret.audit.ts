import type { SecretRecord } from './secret.model';

/**
 * Audit representation of a secret: without its value, but with the fact that the value changed.
 */
export function recorded(
  { name, note, origins, version }: SecretRecord,
  { isValueNew = false } = {},
): object {
  return { name, note, origins, version, ...(isValueNew ? { valueChanged: true } : {}) };
}
