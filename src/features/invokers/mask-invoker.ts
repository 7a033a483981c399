import type { Steps, Turn } from '../../platform/json/turns';
import { isOnlyReferences, isSecretName, isSecretParameter, MASK } from '../../platform/secrets';
import { maskValue } from '../workflows/workflow-document.service';
import type { BodyField, HeaderItem, Invoker, InvokerBody, InvokerOperation, InvokerResult, RequiredField } from './invoker';
import { bodyOf, fieldOf } from './xml/body';
import type { ReadField } from './xml/body';

/**
 * An invoker as people see it who may not change it: `***` for what stands under the name of a secret in headers, bodies and addresses, nothing
 * for a value of the required data that is not public. References stay: they say where a value comes from. Headers whose names say nothing
 * secret stay, too: steps are made of them.
 */
export function* maskInvoker(invoker: Invoker, turn: Turn): Steps<Invoker> {
  const operations: InvokerOperation[] = [];
  for (const operation of invoker.operations) operations.push(yield* maskOperation(operation, turn));
  const requiredData: RequiredField[] = [];
  // Nobody could tell `***` from a value that a connector is to have.
  for (const field of invoker.requiredData) requiredData.push({ ...field, value: field.visibility === 'public' ? yield* maskText(field.value, turn) : isHidden(field.value) ? '' : field.value });
  return { ...invoker, requiredData, operations };
}

function* maskOperation({ request, success, fail, ...rest }: InvokerOperation, turn: Turn): Steps<InvokerOperation> {
  return {
    ...rest,
    request: { ...request, endpoint: yield* maskText(request.endpoint, turn), header: yield* maskHeader(request.header, turn), body: yield* maskBody(request.body, turn) },
    success: yield* maskResult(success, turn),
    fail: yield* maskResult(fail, turn),
  };
}

function* maskResult(result: InvokerResult | null, turn: Turn): Steps<InvokerResult | null> {
  return result && { ...result, header: yield* maskHeader(result.header, turn), body: yield* maskBody(result.body, turn) };
}

function* maskHeader(items: readonly HeaderItem[], turn: Turn): Steps<HeaderItem[]> {
  const masked: HeaderItem[] = [];
  for (const item of items) masked.push({ ...item, value: yield* maskUnder(isSecretParameter(item.name), item.value, turn) });
  return masked;
}

function* maskBody(body: InvokerBody | null, turn: Turn): Steps<InvokerBody | null> {
  return body && bodyOf(body, yield* maskFields(body.fields, false, turn));
}

function* maskFields(fields: readonly BodyField[], isSecret: boolean, turn: Turn): Steps<ReadField[]> {
  const masked: ReadField[] = [];
  const paired = pairedName(fields);
  for (const field of fields) {
    if (turn.over) yield;
    const isSecretField = isSecret || isSecretName(field.name === 'value' ? paired ?? field.name : field.name);
    masked.push(fieldOf({ ...field, text: yield* maskUnder(isSecretField, field.text, turn) }, yield* maskFields(field.fields, isSecretField, turn)));
  }
  return masked;
}

/** `name` beside `value`: what is written as a pair has its name there. */
const pairedName = (fields: readonly BodyField[]): string | undefined => fields.find(({ name, text }) => (name === 'name' || name === 'key') && text !== '')?.text;

function* maskUnder(isSecret: boolean, text: string, turn: Turn): Steps<string> {
  if (isSecret) return isHidden(text) ? MASK : text;
  return yield* maskText(text, turn);
}

/** References say where a value comes from, and not the value. */
const isHidden = (text: string): boolean => text !== '' && !isOnlyReferences(text);

function* maskText(text: string, turn: Turn): Steps<string> {
  return (yield* maskValue(text, 'texts', turn)) as string;
}
