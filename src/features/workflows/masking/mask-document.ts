import type { Steps, Turn } from '../../../platform/json/turns';
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
export function* maskDocument(document: WorkflowDocument, turn: Turn): Steps<WorkflowDocument> {
  return (yield* maskValue(document, 'names', turn)) as WorkflowDocument;
}

/** The same for a value in a place of a document that has this rule. */
export function* maskValue(value: unknown, rule: Rule, turn: Turn): Steps<unknown> {
  if (Array.isArray(value)) return yield* maskList(value, rule, turn);
  if (isJsonObject(value)) return yield* maskFields(value, rule, turn);
  if (isOneValue(rule)) return isHidden(value) ? MASK : value;
  return rule === 'texts' && typeof value === 'string' ? yield* maskText(value, turn) : value;
}

function* maskList(list: readonly unknown[], rule: Rule, turn: Turn): Steps<unknown[]> {
  const masked: unknown[] = [];
  for (const item of list) {
    if (turn.over) yield;
    masked.push(yield* maskValue(item, rule, turn));
  }
  return masked;
}

function* maskFields(fields: JsonObject, rule: Rule, turn: Turn): Steps<JsonObject> {
  const masked: [string, unknown][] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (turn.over) yield;
    masked.push([name, yield* maskValue(field, ruleOfField(rule, name, fields), turn)]);
  }
  return Object.fromEntries(masked);
}

/** Would the whole value be shown as `***`? */
export const isMaskedWhole = (value: unknown, rule: Rule): boolean => isOneValue(rule) && isHidden(value);

/** A text of a request or an answer, with `***` for each secret in it. */
export const maskText = (text: string, turn: Turn): Steps<string> =>
  rewriteSecrets(text, (_name, value) => (isOnlyReferences(value) ? value : MASK), turn);
