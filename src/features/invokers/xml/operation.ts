import type { Steps, Turn } from '../../../platform/event-loop';
import type { XmlElement } from '../../../platform/xml/read-xml';
import type { HeaderItem, InvokerOperation, InvokerRequest, InvokerResult } from '../invoker';
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
import { readPagination } from './pagination';

const VERB = /^[A-Z]{1,20}$/;

/** Reads all `<operation>` elements and adds problems to `faults`. */
export function* readOperations(
  root: XmlElement,
  faults: FaultList,
  turn: Turn,
): Steps<InvokerOperation[]> {
  const elements = childrenOf(root, 'operations').flatMap((list) => childrenOf(list, 'operation'));
  if (elements.length === 0) faults.add(root, 'An invoker needs at least one operation.');
  const operations: InvokerOperation[] = [];
  for (const element of elements) {
    if (turn.over) yield;
    operations.push(yield* readOperation(element, faults, turn));
  }
  warnOfSameNames(
    operations.map(({ name }, at) => ({ name, element: elements[at] ?? root })),
    'an operation',
    faults,
  );
  return operations;
}

function* readOperation(
  element: XmlElement,
  faults: FaultList,
  turn: Turn,
): Steps<InvokerOperation> {
  const [name, type] = [
    filledAttribute(element, 'name', faults),
    attribute(element, 'type', faults),
  ];
  const request = yield* readRequest(requiredChild(element, 'request', faults), faults, turn);
  const response = childOf(element, 'response', faults);
  const success = childOf(response, 'success', faults);
  const fails = yield* readFails(childrenOf(response, 'fail'), faults, turn);
  return {
    name,
    type,
    request,
    success: success
      ? yield* readResult(success, attributeOr(success, 'status', '200', faults), faults, turn)
      : null,
    fail: fails[0] ?? null,
    fails,
    pagination: readPagination(element, faults),
  };
}

/** Failures are selected by status, so only the first of each status is kept. */
function* readFails(
  elements: readonly XmlElement[],
  faults: FaultList,
  turn: Turn,
): Steps<InvokerResult[]> {
  const byStatus = new Map<string, InvokerResult>();
  for (const element of elements) {
    if (turn.over) yield;
    const status = attribute(element, 'status', faults);
    const isSecond = byStatus.has(status);
    if (isSecond)
      faults.warn(
        element,
        `There is a <fail> with the status "${status.slice(0, 40)}" already; this one was ignored.`,
      );
    else byStatus.set(status, yield* readResult(element, status, faults, turn));
  }
  return [...byStatus.values()];
}

function* readRequest(
  element: XmlElement | undefined,
  faults: FaultList,
  turn: Turn,
): Steps<InvokerRequest> {
  if (!element) return { method: '', endpoint: '', header: [], body: null };
  const [verb, address] = [
    childOf(element, 'method', faults),
    childOf(element, 'endpoint', faults),
  ];
  const said = verb ? textOf(verb).trim().toUpperCase() : '';
  const method = said || 'GET';
  const endpoint = address ? textOf(address).trim() : '';
  if (said === '') faults.warn(verb ?? element, 'The request has no <method>; GET was assumed.');
  if (verb && !VERB.test(method)) faults.add(verb, '<method> is a verb such as GET.');
  if (endpoint === '')
    faults.warn(
      address ?? element,
      'The request has no <endpoint>; only steps with a URL of their own can call it.',
    );
  return {
    method,
    endpoint,
    header: readHeader(element, faults),
    body: yield* readBody(childOf(element, 'body', faults), faults, turn),
  };
}

function* readResult(
  element: XmlElement,
  status: string,
  faults: FaultList,
  turn: Turn,
): Steps<InvokerResult> {
  return {
    status,
    header: readHeader(element, faults),
    body: yield* readBody(childOf(element, 'body', faults), faults, turn),
  };
}

function readHeader(element: XmlElement, faults: FaultList): HeaderItem[] {
  return childrenOf(childOf(element, 'header', faults), 'item').map((item) => ({
    name: filledAttribute(item, 'name', faults),
    type: item.attributes.type?.trim() || 'string',
    value: textOf(item).trim(),
  }));
}
