import type { XmlElement } from '../../../platform/xml/read-xml';
import type { PaginationParameter } from '../invoker';
import { childOf, requireUnique, textOf } from './elements';
import type { FaultList } from './faults';

/** Everything that can be carried from page to page. */
export const PAGINATION_PARAMETERS: readonly string[] = [
  'result', 'size', 'limit', 'offset', 'page', 'cursor', 'link', 'next', 'prev', 'has_more', 'order', 'sort', 'category',
];

/** What can be done with it. */
export const PAGINATION_ACTIONS: readonly string[] = ['read', 'write', 'increment', 'collect', 'fetch'];

/** The parameters of `<pagination>` under this element; none where it has none. */
export function readPagination(parent: XmlElement, faults: FaultList): PaginationParameter[] {
  const element = childOf(parent, 'pagination', faults);
  if (!element || element.children.length === 0) return [];
  const parameters = element.children.map((child) => ({ element: child, ...parameterOf(child, faults) }));
  // What is read in one place and written to others has an element for each.
  requireUnique(parameters.filter(({ action }) => action !== 'write'), 'a parameter', faults);
  const result = parameters.find(({ name }) => name === 'result');
  if (!result?.ref) faults.add(result?.element ?? element, '<pagination> needs a <result> with an attribute "ref": where the entries are.');
  return parameters.map(({ name, action, ref, value }) => ({ name, action, ref, value }));
}

function parameterOf(element: XmlElement, faults: FaultList): PaginationParameter {
  const { name, attributes } = element;
  const action = attributes.action?.trim() || null;
  if (!PAGINATION_PARAMETERS.includes(name)) faults.add(element, `<${name.slice(0, 50)}> is no parameter of <pagination>. It has ${PAGINATION_PARAMETERS.join(', ')}.`);
  if (action !== null && !PAGINATION_ACTIONS.includes(action)) faults.add(element, `The action of <${name.slice(0, 50)}> is one of ${PAGINATION_ACTIONS.join(', ')}.`);
  return { name, action, ref: attributes.ref?.trim() || null, value: textOf(element).trim() };
}
