import { MASK } from '../../../platform/redaction';
import { isOnlyReferences } from '../../../platform/secrets';
import type { WorkflowDocument } from '../document/workflow-document';
import { isHidden, isOneValue, mapLeaves, placeWith } from './document-rules';
import type { Place, Rule } from './document-rules';
import type { KnownValues } from './known-values';
import { knownValuesOf } from './known-values';
import { rewriteSecrets } from './secret-text';

/**
 * Masks a document for users who may not change the workflow: `***` for header values except
 * harmless ones, for values of secret fields in bodies and URLs, and for the same values in other
 * texts. References, null and booleans stay.
 */
export function maskDocument(document: WorkflowDocument): WorkflowDocument {
  return maskValue(document, 'names', knownValuesOf([document])) as WorkflowDocument;
}

/**
 * Masks a value with the given rule.
 * @param secrets values that are also masked in other texts; null: mask by field name only
 */
export function maskValue(value: unknown, rule: Rule, secrets: KnownValues | null = null): unknown {
  return mapLeaves(value, placeWith(rule), (leaf, place) => maskLeaf(leaf, place, secrets));
}

function maskLeaf(
  value: unknown,
  { rule, isStructure }: Place,
  secrets: KnownValues | null,
): unknown {
  if (isOneValue(rule)) return isHidden(value) ? MASK : value;
  const text = rule === 'texts' && typeof value === 'string' ? maskText(value) : value;
  if (secrets === null || secrets.isEmpty || isStructure) return text;
  return maskKnown(text, secrets);
}

/** Masks known values in a text, and a number that is a known value. */
function maskKnown(value: unknown, secrets: KnownValues): unknown {
  if (typeof value === 'string') return secrets.hidden(value);
  if (typeof value !== 'number') return value;
  return secrets.hidden(String(value)) === String(value) ? value : MASK;
}

/** Returns whether the whole value is shown as `***`. */
export const isMaskedWhole = (value: unknown, rule: Rule): boolean =>
  isOneValue(rule) && isHidden(value);

/** Masks each secret in a text of a request or response. */
export const maskText = (text: string): string =>
  rewriteSecrets(text, (_name, value) => (isOnlyReferences(value) ? value : MASK));
