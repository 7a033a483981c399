import { isOnlyReferences, MASK } from '../../../platform/secrets';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import type { WorkflowDocument } from '../workflow.document';
import type { Rule } from './document-rules';
import { isHidden, isOneValue, ruleOfField } from './document-rules';
import { rewriteSecrets } from './secret-text';

/**
 * A workflow document as people see it who may not change it: `***` for every header value but the harmless ones, and for whatever stands
 * under the name of a secret, in fields, bodies and URLs. References, null and yes or no stay.
 */
export function maskDocument(document: WorkflowDocument): WorkflowDocument {
  return maskValue(document, 'names') as WorkflowDocument;
}

/** The same for one step of it. */
export const maskStep = (step: JsonObject): JsonObject => maskValue(step, 'names') as JsonObject;

function maskValue(value: unknown, rule: Rule): unknown {
  if (Array.isArray(value)) return value.map((item) => maskValue(item, rule));
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskValue(field, ruleOfField(rule, name, value))]));
  return maskLeaf(value, rule);
}

/** What is shown instead of a value that is no list and no object. */
export function maskLeaf(value: unknown, rule: Rule): unknown {
  if (isOneValue(rule)) return isHidden(value) ? MASK : value;
  return rule === 'texts' && typeof value === 'string' ? maskText(value) : value;
}

export const maskText = (text: string): string => rewriteSecrets(text, (_place, value) => (isOnlyReferences(value) ? value : MASK));
