import { fieldsIn } from '../../../engine/connector/text-template';
import type { InvokerFacts } from '../connector.ports';
import type { Values } from '../connector.rules';

/**
 * May the stored secrets of a connector stand in for those that were not given? Only when every field that says where they go is as it is
 * stored: all public ones, and what an operation has in its address whoever may see it. Else whoever cannot read them could have them
 * sent to a place of his own.
 */
export function mayUseStored({ requiredData, operations }: InvokerFacts, given: Values, stored: Values): boolean {
  const inAddresses = new Set(operations.flatMap(({ request }) => fieldsIn(request.endpoint)));
  return requiredData.filter(({ name, visibility }) => visibility === 'public' || inAddresses.has(name))
    .every(({ name }) => !Object.hasOwn(given, name) || given[name] === stored[name]);
}
