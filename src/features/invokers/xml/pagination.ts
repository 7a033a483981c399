import type { XmlElement } from '../../../platform/xml/read-xml';
import type { PaginationParameter } from '../invoker';
import { childOf, textOf, warnOfSameNames } from './elements';
import type { FaultList } from './faults';

export const PAGINATION_PARAMETERS: readonly string[] = [
  'result',
  'size',
  'limit',
  'offset',
  'page',
  'cursor',
  'link',
  'next',
  'prev',
  'has_more',
  'order',
  'sort',
  'category',
];

export const PAGINATION_ACTIONS: readonly string[] = [
  'read',
  'write',
  'increment',
  'collect',
  'fetch',
];

/** Returns the parameters of `<pagination>` in this element, none if it is missing. */
export function readPagination(parent: XmlElement, faults: FaultList): PaginationParameter[] {
  const element = childOf(parent, 'pagination', faults);
  if (!element || element.children.length === 0) return [];
  const parameters = element.children
    .filter((child) => isParameter(child, faults))
    .map((child) => ({ element: child, ...parameterOf(child, faults) }));
  // A parameter that is read in one place and written to others has an element for each.
  warnOfSameNames(
    parameters.filter(({ action }) => action !== 'write'),
    'a parameter',
    faults,
  );
  const result = parameters.find(({ name }) => name === 'result');
  if (!result?.ref) {
    faults.warn(
      result?.element ?? element,
      '<pagination> has no <result> with an attribute "ref", which says where the entries are; pages are not followed.',
    );
    return [];
  }
  return parameters.map(({ name, action, ref, value }) => ({ name, action, ref, value }));
}

function isParameter(element: XmlElement, faults: FaultList): boolean {
  if (PAGINATION_PARAMETERS.includes(element.name)) return true;
  faults.warn(
    element,
    `<${element.name.slice(0, 50)}> is no parameter of <pagination> and was ignored. It has ${PAGINATION_PARAMETERS.join(', ')}.`,
  );
  return false;
}

function parameterOf(element: XmlElement, faults: FaultList): PaginationParameter {
  const { name, attributes } = element;
  const said = attributes.action?.trim() || null;
  const isKnown = said === null || PAGINATION_ACTIONS.includes(said);
  if (!isKnown)
    faults.warn(
      element,
      `The action of <${name}> is one of ${PAGINATION_ACTIONS.join(', ')}; another one was ignored.`,
    );
  return {
    name,
    action: isKnown ? said : null,
    ref: attributes.ref?.trim() || null,
    value: textOf(element).trim(),
  };
}
