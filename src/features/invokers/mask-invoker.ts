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
export function maskInvoker(invoker: Invoker): Invoker {
  const operations: InvokerOperation[] = invoker.operations.map((operation) =>
    maskOperation(operation),
  );
  const requiredData: RequiredField[] = invoker.requiredData.map((field) => ({
    ...field,
    value: maskRequired(field.visibility, field.value),
  }));
  return { ...invoker, requiredData, operations };
}

/** Masks the XML of an invoker in the same way, including elements without meaning here. */
export const maskInvokerXml = (root: XmlElement): XmlElement =>
  maskElement(root, { parent: '', isSecret: false, paired: undefined });

interface Around {
  readonly parent: string;
  readonly isSecret: boolean;
  readonly paired: string | undefined;
}

function maskElement(element: XmlElement, around: Around): XmlElement {
  const isSecret = around.isSecret || namesSecret(element, around);
  const attributes: [string, string][] = Object.entries(element.attributes).map(([name, value]) => [
    name,
    maskUnder(isSecretName(name), value),
  ]);
  const within = {
    parent: element.name,
    isSecret,
    paired: pairedName(
      element.children.map((child) => ({ name: child.attributes.name ?? '', text: textOf(child) })),
    ),
  };
  const children: XmlElement[] = element.children.map((child) => maskElement(child, within));
  const text = children.length > 0 ? element.text.trim() : textOf(element);
  const masked =
    element.name === 'item' && around.parent === 'requiredData'
      ? maskRequired(element.attributes.visibility?.trim(), text)
      : maskUnder(isSecret, text);
  return { ...element, attributes: Object.fromEntries(attributes), text: masked, children };
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

function maskRequired(visibility: string | undefined, value: string): string {
  if (visibility === 'public') return maskText(value);
  return isHidden(value) ? '' : value;
}

function maskOperation({ request, success, fails, ...rest }: InvokerOperation): InvokerOperation {
  const masked: InvokerResult[] = fails.map((fail) => maskResult(fail));
  return {
    ...rest,
    request: {
      ...request,
      endpoint: maskText(request.endpoint),
      header: maskHeader(request.header),
      body: maskBody(request.body),
    },
    success: success && maskResult(success),
    fail: masked[0] ?? null,
    fails: masked,
  };
}

function maskResult(result: InvokerResult): InvokerResult {
  return {
    ...result,
    header: maskHeader(result.header),
    body: maskBody(result.body),
  };
}

function maskHeader(items: readonly HeaderItem[]): HeaderItem[] {
  return items.map((item) => ({
    ...item,
    value: maskUnder(isSecretParameter(item.name), item.value),
  }));
}

function maskBody(body: InvokerBody | null): InvokerBody | null {
  return body && bodyOf(body, maskFields(body.fields, false));
}

function maskFields(fields: readonly BodyField[], isSecret: boolean): ReadField[] {
  const masked: ReadField[] = [];
  const paired = pairedName(fields);
  for (const field of fields) {
    const isSecretField =
      isSecret || isSecretName(field.name === 'value' ? (paired ?? field.name) : field.name);
    masked.push(
      fieldOf(
        { ...field, text: maskUnder(isSecretField, field.text) },
        maskFields(field.fields, isSecretField),
      ),
    );
  }
  return masked;
}

/** Returns the name of a name/value pair of fields. */
const pairedName = (fields: readonly Pick<BodyField, 'name' | 'text'>[]): string | undefined =>
  fields.find(({ name, text }) => (name === 'name' || name === 'key') && text !== '')?.text;

function maskUnder(isSecret: boolean, text: string): string {
  if (isSecret) return isHidden(text) ? MASK : text;
  return maskText(text);
}

/** References name the source of a value, not the value. */
const isHidden = (text: string): boolean => text !== '' && !isOnlyReferences(text);

function maskText(text: string): string {
  return maskValue(text, 'texts') as string;
}
