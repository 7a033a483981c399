import type { Yielding, TimeSlice } from '../../platform/event-loop';
import { MASK } from '../../platform/redaction';
import { isOnlyReferences, isSecretName, isSecretParameter } from '../../platform/secrets';
import { maskValue } from '../workflows/workflow-document.service';
import type { XmlElement } from '../../platform/xml/read-xml';
import type {
  BodyField,
  HeaderItem,
  Invoker,
  InvokerBody,
  InvokerOperation,
  InvokerResult,
  RequiredField,
} from './invoker';
import { bodyOf, fieldOf } from './xml/body';
import type { ReadField } from './xml/body';
import { textOf } from './xml/elements';

/**
 * Masks an invoker for users who may not change it: `***` for values with secret names in headers,
 * bodies and URLs, and an empty value for non-public required data. References stay, because they
 * only name the source of a value. Headers without secret names stay, because steps are built from
 * them.
 */
export function* maskInvoker(invoker: Invoker, slice: TimeSlice): Yielding<Invoker> {
  const operations: InvokerOperation[] = [];
  for (const operation of invoker.operations)
    operations.push(yield* maskOperation(operation, slice));
  const requiredData: RequiredField[] = [];
  // Empty instead of `***`, which could be mistaken for a default value.
  for (const field of invoker.requiredData)
    requiredData.push({
      ...field,
      value: yield* maskRequired(field.visibility, field.value, slice),
    });
  return { ...invoker, requiredData, operations };
}

/** Masks the XML of an invoker in the same way, including elements without meaning here. */
export const maskInvokerXml = (root: XmlElement, slice: TimeSlice): Yielding<XmlElement> =>
  maskElement(root, { parent: '', isSecret: false, paired: undefined }, slice);

interface Around {
  readonly parent: string;
  readonly isSecret: boolean;
  readonly paired: string | undefined;
}

function* maskElement(element: XmlElement, around: Around, slice: TimeSlice): Yielding<XmlElement> {
  if (slice.over) yield;
  const isSecret = around.isSecret || namesSecret(element, around);
  const attributes: [string, string][] = [];
  for (const [name, value] of Object.entries(element.attributes))
    attributes.push([name, yield* maskUnder(isSecretName(name), value, slice)]);
  const within = {
    parent: element.name,
    isSecret,
    paired: pairedName(
      element.children.map((child) => ({ name: child.attributes.name ?? '', text: textOf(child) })),
    ),
  };
  const children: XmlElement[] = [];
  for (const child of element.children) children.push(yield* maskElement(child, within, slice));
  const text = children.length > 0 ? element.text.trim() : textOf(element);
  const masked =
    element.name === 'item' && around.parent === 'requiredData'
      ? maskRequired(element.attributes.visibility?.trim(), text, slice)
      : maskUnder(isSecret, text, slice);
  return { ...element, attributes: Object.fromEntries(attributes), text: yield* masked, children };
}

function namesSecret({ name, attributes }: XmlElement, { parent, paired }: Around): boolean {
  const called = attributes.name?.trim() ?? '';
  if (name === 'field') return isSecretName(called === 'value' ? (paired ?? called) : called);
  if (name === 'item') return parent !== 'requiredData' && isSecretName(called);
  return !KNOWN_ELEMENTS.has(name) && isSecretName(name);
}

/** Elements whose names do not describe their content. */
const KNOWN_ELEMENTS: ReadonlySet<string> = new Set([
  'invoker',
  'name',
  'description',
  'hint',
  'icon',
  'authType',
  'requiredData',
  'operations',
  'operation',
  'request',
  'response',
  'method',
  'endpoint',
  'header',
  'body',
  'success',
  'fail',
  'pagination',
]);

function* maskRequired(
  visibility: string | undefined,
  value: string,
  slice: TimeSlice,
): Yielding<string> {
  if (visibility === 'public') return yield* maskText(value, slice);
  return isHidden(value) ? '' : value;
}

function* maskOperation(
  { request, success, fails, ...rest }: InvokerOperation,
  slice: TimeSlice,
): Yielding<InvokerOperation> {
  const masked: InvokerResult[] = [];
  for (const fail of fails) masked.push(yield* maskResult(fail, slice));
  return {
    ...rest,
    request: {
      ...request,
      endpoint: yield* maskText(request.endpoint, slice),
      header: yield* maskHeader(request.header, slice),
      body: yield* maskBody(request.body, slice),
    },
    success: success && (yield* maskResult(success, slice)),
    fail: masked[0] ?? null,
    fails: masked,
  };
}

function* maskResult(result: InvokerResult, slice: TimeSlice): Yielding<InvokerResult> {
  return {
    ...result,
    header: yield* maskHeader(result.header, slice),
    body: yield* maskBody(result.body, slice),
  };
}

function* maskHeader(items: readonly HeaderItem[], slice: TimeSlice): Yielding<HeaderItem[]> {
  const masked: HeaderItem[] = [];
  for (const item of items)
    masked.push({
      ...item,
      value: yield* maskUnder(isSecretParameter(item.name), item.value, slice),
    });
  return masked;
}

function* maskBody(body: InvokerBody | null, slice: TimeSlice): Yielding<InvokerBody | null> {
  return body && bodyOf(body, yield* maskFields(body.fields, false, slice));
}

function* maskFields(
  fields: readonly BodyField[],
  isSecret: boolean,
  slice: TimeSlice,
): Yielding<ReadField[]> {
  const masked: ReadField[] = [];
  const paired = pairedName(fields);
  for (const field of fields) {
    if (slice.over) yield;
    const isSecretField =
      isSecret || isSecretName(field.name === 'value' ? (paired ?? field.name) : field.name);
    masked.push(
      fieldOf(
        { ...field, text: yield* maskUnder(isSecretField, field.text, slice) },
        yield* maskFields(field.fields, isSecretField, slice),
      ),
    );
  }
  return masked;
}

/** Returns the name of a name/value pair of fields. */
const pairedName = (fields: readonly Pick<BodyField, 'name' | 'text'>[]): string | undefined =>
  fields.find(({ name, text }) => (name === 'name' || name === 'key') && text !== '')?.text;

function* maskUnder(isSecret: boolean, text: string, slice: TimeSlice): Yielding<string> {
  if (isSecret) return isHidden(text) ? MASK : text;
  return yield* maskText(text, slice);
}

/** References name the source of a value, not the value. */
const isHidden = (text: string): boolean => text !== '' && !isOnlyReferences(text);

function* maskText(text: string, slice: TimeSlice): Yielding<string> {
  return (yield* maskValue(text, 'texts', slice)) as string;
}
