import type { BodyNode } from '../request/body-tree';
import type { RequestTemplate } from '../request/request';
import { isJsonFormat } from '../request/body-format';
import type { OperationBody } from './invoker-facts';

/**
 * A request whose body fields become lists and objects where the operation of the invoker declares them so: a single value is a list of one there,
 * and the `value` of an object. Only JSON: in XML an element is one or several as it comes. What an invoker declares to be anything else says nothing
 * of numbers, truth and texts, so those keep the type of their value.
 */
export function inDeclaredShape(
  request: RequestTemplate,
  declared: OperationBody | null,
): RequestTemplate {
  // A body that is one value as a whole is no field.
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
    // An element is no field of its own.
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
