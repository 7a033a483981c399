import type { Steps, Turn } from '../../../platform/json/turns';
import type { XmlElement } from '../../../platform/xml/read-xml';
import type { HeaderItem, InvokerOperation, InvokerRequest, InvokerResult } from '../invoker';
import { readBody } from './body';
import { attribute, childOf, childrenOf, filledAttribute, requiredChild, requireUnique, textOf } from './elements';
import type { FaultList } from './faults';
import { readPagination } from './pagination';

const VERB = /^[A-Z]{1,20}$/;

/** Every `<operation>`; what is wrong with them is noted. */
export function* readOperations(root: XmlElement, faults: FaultList, turn: Turn): Steps<InvokerOperation[]> {
  const elements = childrenOf(childOf(root, 'operations', faults), 'operation');
  if (elements.length === 0) faults.add(root, 'An invoker needs at least one operation.');
  const operations: InvokerOperation[] = [];
  for (const element of elements) {
    if (turn.over) yield;
    operations.push(yield* readOperation(element, faults, turn));
  }
  requireUnique(operations.map(({ name }, at) => ({ name, element: elements[at] ?? root })), 'an operation', faults);
  return operations;
}

function* readOperation(element: XmlElement, faults: FaultList, turn: Turn): Steps<InvokerOperation> {
  const [name, type] = [filledAttribute(element, 'name', faults), attribute(element, 'type', faults)];
  const request = yield* readRequest(requiredChild(element, 'request', faults), faults, turn);
  const response = childOf(element, 'response', faults);
  const success = yield* readResult(childOf(response, 'success', faults), faults, turn);
  const fail = yield* readResult(childOf(response, 'fail', faults), faults, turn);
  return { name, type, request, success, fail, pagination: readPagination(element, faults) };
}

function* readRequest(element: XmlElement | undefined, faults: FaultList, turn: Turn): Steps<InvokerRequest> {
  if (!element) return { method: '', endpoint: '', header: [], body: null };
  const [verb, address] = [requiredChild(element, 'method', faults), requiredChild(element, 'endpoint', faults)];
  const method = verb ? textOf(verb).trim().toUpperCase() : '';
  const endpoint = address ? textOf(address).trim() : '';
  if (verb && !VERB.test(method)) faults.add(verb, '<method> is a verb such as GET.');
  if (address && endpoint === '') faults.add(address, '<endpoint> is empty.');
  return { method, endpoint, header: readHeader(element, faults), body: yield* readBody(childOf(element, 'body', faults), faults, turn) };
}

function* readResult(element: XmlElement | undefined, faults: FaultList, turn: Turn): Steps<InvokerResult | null> {
  if (!element) return null;
  const status = filledAttribute(element, 'status', faults);
  return { status, header: readHeader(element, faults), body: yield* readBody(childOf(element, 'body', faults), faults, turn) };
}

function readHeader(element: XmlElement, faults: FaultList): HeaderItem[] {
  return childrenOf(childOf(element, 'header', faults), 'item').map((item) => ({
    name: filledAttribute(item, 'name', faults),
    type: item.attributes.type?.trim() || 'string',
    value: textOf(item).trim(),
  }));
}
