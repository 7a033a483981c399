import { inTurns } from '../../../platform/json/turns';
import type { XmlNode } from '../../../platform/xml/write-xml';
import { writeXml } from '../../../platform/xml/write-xml';
import type { BodyField, HeaderItem, InvokerBody, InvokerDefinition, InvokerOperation, InvokerResult, PaginationParameter } from '../invoker';

/** The XML of an invoker: read again, it is the same. In turns. */
export function writeInvoker(invoker: InvokerDefinition): Promise<string> {
  return inTurns(function* (turn) {
    const lines: string[] = [];
    for (const line of writeXml(root(invoker))) {
      lines.push(line);
      if (turn.over) yield;
    }
    return lines.join('');
  });
}

const leaf = (name: string, text: string | null): XmlNode => ({ name, text });

const root = ({ name, type, description, hint, icon, authType, requiredData, pagination, operations }: InvokerDefinition): XmlNode => ({
  name: 'invoker',
  attributes: { type },
  children: [
    leaf('name', name), leaf('description', description), leaf('hint', hint), leaf('icon', icon), leaf('authType', authType),
    { name: 'requiredData', children: requiredData.map(({ value, ...attributes }) => ({ name: 'item', attributes, text: value })) },
    ...paginationNodes(pagination),
    { name: 'operations', children: operations.map(operation) },
  ],
});

const operation = ({ name, type, request, success, fail, pagination }: InvokerOperation): XmlNode => ({
  name: 'operation',
  attributes: { name, type },
  children: [
    ...paginationNodes(pagination),
    { name: 'request', children: [leaf('method', request.method), leaf('endpoint', request.endpoint), ...headerNodes(request.header), ...bodyNodes(request.body)] },
    { name: 'response', children: [...resultNodes('success', success), ...resultNodes('fail', fail)] },
  ],
});

const resultNodes = (name: string, result: InvokerResult | null): XmlNode[] =>
  (result ? [{ name, attributes: { status: result.status }, children: [...headerNodes(result.header), ...bodyNodes(result.body)] }] : []);

const headerNodes = (items: readonly HeaderItem[]): XmlNode[] =>
  (items.length > 0 ? [{ name: 'header', children: items.map(({ value, ...attributes }) => ({ name: 'item', attributes, text: value })) }] : []);

const bodyNodes = (body: InvokerBody | null): XmlNode[] =>
  (body ? [{ name: 'body', attributes: { type: body.type, format: body.format, data: body.data }, children: body.fields.map(field) }] : []);

const field = ({ name, type, text, fields }: BodyField): XmlNode => ({ name: 'field', attributes: { name, type }, text: fields.length > 0 ? null : text, children: fields.map(field) });

const paginationNodes = (parameters: readonly PaginationParameter[]): XmlNode[] =>
  (parameters.length > 0 ? [{ name: 'pagination', children: parameters.map(({ name, action, ref, value }) => ({ name, attributes: { action, ref }, text: value })) }] : []);
