import type { XmlElement } from '../../../platform/xml/read-xml';
import type {
  HeaderItem,
  InvokerOperation,
  InvokerRequest,
  InvokerResult,
  PageParameter,
} from '../invoker';
import { readBody } from './body';
import {
  attribute,
  attributeOr,
  childOf,
  childrenOf,
  filledAttribute,
  requiredChild,
  textOf,
  warnOfSameNames,
} from './elements';
import type { FaultList } from './faults';

const VERB = /^[A-Z]{1,20}$/;

/** Reads all `<operation>` elements and adds problems to `faults`. */
export function readOperations(root: XmlElement, faults: FaultList): InvokerOperation[] {
  const elements = childrenOf(root, 'operations').flatMap((list) => childrenOf(list, 'operation'));
  if (elements.length === 0) faults.add(root, 'An invoker needs at least one operation.');
  const operations: InvokerOperation[] = elements.map((element) => readOperation(element, faults));
  warnOfSameNames(
    operations.map(({ name }, at) => ({ name, element: elements[at] ?? root })),
    'an operation',
    faults,
  );
  return operations;
}

function readOperation(element: XmlElement, faults: FaultList): InvokerOperation {
  const name = filledAttribute(element, 'name', faults);
  const type = attribute(element, 'type', faults);
  const request = readRequest(requiredChild(element, 'request', faults), faults);
  const response = childOf(element, 'response', faults);
  const success = childOf(response, 'success', faults);
  const fails = readFails(childrenOf(response, 'fail'), faults);
  return {
    name,
    type,
    request,
    success: success
      ? readResult(success, attributeOr(success, 'status', '200', faults), faults)
      : null,
    fail: fails[0] ?? null,
    fails,
    pagination: readPagination(element, faults),
  };
}

/** Failures are selected by status, so only the first of each status is kept. */
function readFails(elements: readonly XmlElement[], faults: FaultList): InvokerResult[] {
  const byStatus = new Map<string, InvokerResult>();
  for (const element of elements) {
    const status = attribute(element, 'status', faults);
    const isSecond = byStatus.has(status);
    if (isSecond)
      faults.warn(
        element,
        `There is a <fail> with the status "${status.slice(0, 40)}" already; this one was ignored.`,
      );
    else byStatus.set(status, readResult(element, status, faults));
  }
  return [...byStatus.values()];
}

function readRequest(element: XmlElement | undefined, faults: FaultList): InvokerRequest {
  if (!element) return { method: '', endpoint: '', header: [], body: null };
  const verb = childOf(element, 'method', faults);
  const url = childOf(element, 'endpoint', faults);
  const name = verb ? textOf(verb).trim().toUpperCase() : '';
  const method = name || 'GET';
  const endpoint = url ? textOf(url).trim() : '';
  if (name === '') faults.warn(verb ?? element, 'The request has no <method>; GET was assumed.');
  if (verb && !VERB.test(method)) faults.add(verb, '<method> is a verb such as GET.');
  if (endpoint === '')
    faults.warn(
      url ?? element,
      'The request has no <endpoint>; only steps with a URL of their own can call it.',
    );
  return {
    method,
    endpoint,
    header: readHeader(element, faults),
    body: readBody(childOf(element, 'body', faults), faults),
  };
}

function readResult(element: XmlElement, status: string, faults: FaultList): InvokerResult {
  return {
    status,
    header: readHeader(element, faults),
    body: readBody(childOf(element, 'body', faults), faults),
  };
}

function readHeader(element: XmlElement, faults: FaultList): HeaderItem[] {
  return childrenOf(childOf(element, 'header', faults), 'item').map((item) => ({
    name: filledAttribute(item, 'name', faults),
    type: item.attributes.type?.trim() || 'string',
    value: textOf(item).trim(),
  }));
}

const PAGINATION_PARAMETERS: readonly string[] = [
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

const PAGINATION_ACTIONS: readonly string[] = ['read', 'write', 'increment', 'collect', 'fetch'];

/** Returns the parameters of `<pagination>` in this element, none if it is missing. */
export function readPagination(parent: XmlElement, faults: FaultList): PageParameter[] {
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
      '<pagination> has no <result> with an attribute "ref", which names the place of the entries; pages are not followed.',
    );
    return [];
  }
  return parameters.map(({ name, action, ref, value }) => ({ name, action, ref, value }));
}

function isParameter(element: XmlElement, faults: FaultList): boolean {
  if (PAGINATION_PARAMETERS.includes(element.name)) return true;
  faults.warn(
    element,
    `<${element.name.slice(0, 50)}> is not a parameter of <pagination> and was ignored. Parameters: ${PAGINATION_PARAMETERS.join(', ')}.`,
  );
  return false;
}

function parameterOf(element: XmlElement, faults: FaultList): PageParameter {
  const { name, attributes } = element;
  const action = attributes.action?.trim() || null;
  const isKnown = action === null || PAGINATION_ACTIONS.includes(action);
  if (!isKnown)
    faults.warn(
      element,
      `The action of <${name}> must be one of ${PAGINATION_ACTIONS.join(', ')}; it was ignored.`,
    );
  return {
    name,
    action: isKnown ? action : null,
    ref: attributes.ref?.trim() || null,
    value: textOf(element).trim(),
  };
}
