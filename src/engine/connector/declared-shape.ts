import type { BodyNode } from '../request/body-tree';
import type { RequestTemplate } from '../request/request';
import { isJsonFormat } from '../request/body-format';
import type { OperationBody } from './invoker-facts';

/**
 * Converts body fields to lists and objects where the operation declares them: a single value
 * becomes a list of one, or the `value` of an object. JSON only: in XML, repetition needs no list.
 * Declared scalar types are ignored, since invokers do not reliably distinguish them.
 */
export function inDeclaredShape(
  request: RequestTemplate,
  declared: OperationBody | null,
): RequestTemplate {
  // A body that is a single value has no fields.
  if (
    request.body === null ||
    request.body.tree.kind === 'source' ||
    declared === null ||
    !isJsonFormat(declared.format)
  )
    return request;
  return { ...request, body: { ...request.body, tree: shaped(request.body.tree, declared.value) } };
}

function shaped(node: BodyNode, declared: unknown): BodyNode {
  if (typeof declared !== 'object' || declared === null) return node;
  const one = Array.isArray(declared) ? (declared[0] as unknown) : declared;
  switch (node.kind) {
    case 'source':
      return { ...node, shape: Array.isArray(declared) ? 'list' : 'map' };
    // List elements are not converted themselves.
    case 'list':
      return Array.isArray(declared)
        ? {
            kind: 'list',
            items: node.items.map((item) => (item.kind === 'source' ? item : shaped(item, one))),
          }
        : node;
    case 'map':
      return {
        kind: 'map',
        fields: node.fields.map(([name, inner]) => [name, shaped(inner, fieldOf(one, name))]),
      };
    default:
      return node;
  }
}

const fieldOf = (declared: unknown, name: string): unknown =>
  typeof declared === 'object' && declared !== null && Object.hasOwn(declared, name)
    ? (declared as Readonly<Record<string, unknown>>)[name]
    : undefined;
