import { inTurns } from '../../../platform/event-loop';
import type { Steps, Turn } from '../../../platform/event-loop';
import { hasMoreCharacters, isVisible } from '../../../platform/text/characters';
import { readXml } from '../../../platform/xml/read-xml';
import type { XmlElement } from '../../../platform/xml/read-xml';
import { XmlFault } from '../../../platform/xml/xml-fault';
import { VISIBILITIES } from '../invoker';
import type { InvokerDefinition, RequiredField, Visibility } from '../invoker';
import {
  attributeOr,
  childOf,
  childrenOf,
  filledAttribute,
  requiredChild,
  textOf,
  warnOfSameNames,
} from './elements';
import { FaultList, InvokerFaults } from './faults';
import type { Origin } from './faults';
import { readOperations } from './operation';
import { readPagination } from './pagination';

const LONGEST_NAME = 255;
/** Reserved words that occur in place of invoker names in REST paths. */
const NAMES_OF_PATHS: readonly string[] = ['all', 'exists', 'refresh', 'synchronisation'];
/** Path segments that clients resolve before they send a URL, even if encoded. */
const STEPS_IN_PATHS: readonly string[] = ['.', '..'];

/**
 * Parses the XML of an invoker; the elements are those of installations in the field
 * (docs/invokers.md).
 * @param origin stored texts were validated when they were imported, and are not validated again
 * @throws InvokerFaults with all problems and their lines
 * @throws TooLarge
 */
export async function readInvoker(
  text: string,
  origin: Origin = 'written',
): Promise<InvokerDefinition> {
  try {
    const root = await readXml(text);
    return await inTurns((turn) => definition(root, origin, turn));
  } catch (error) {
    throw error instanceof XmlFault ? new InvokerFaults([error]) : error;
  }
}

function* definition(root: XmlElement, origin: Origin, turn: Turn): Steps<InvokerDefinition> {
  const faults = new FaultList(origin);
  if (root.name !== 'invoker') {
    faults.add(root, `This is no invoker: the outermost element is <${root.name.slice(0, 50)}>.`);
    faults.refuse();
  }
  const read: Omit<InvokerDefinition, 'warnings'> = {
    name: nameOf(root, faults),
    type: root.attributes.type?.trim() || 'RESTful',
    description: optional(root, 'description', faults),
    hint: optional(root, 'hint', faults),
    icon: optional(root, 'icon', faults),
    authType: optional(root, 'authType', faults),
    requiredData: requiredData(root, faults),
    pagination: readPagination(root, faults),
    operations: yield* readOperations(root, faults, turn),
  };
  faults.refuse();
  return { ...read, warnings: faults.warnings };
}

function nameOf(root: XmlElement, faults: FaultList): string {
  const element = requiredChild(root, 'name', faults);
  const name = element ? textOf(element).trim() : '';
  if (!element) return name;
  if (name === '') faults.add(element, '<name> is empty.');
  else if (hasMoreCharacters(name, LONGEST_NAME))
    faults.add(element, `A name has ${LONGEST_NAME} characters at most.`);
  else if (!isVisible(name)) faults.add(element, 'The name has characters that cannot be seen.');
  else if (NAMES_OF_PATHS.includes(name))
    faults.add(element, `No invoker can be called "${name}": an operation of the REST API is.`);
  else if (STEPS_IN_PATHS.includes(name))
    faults.add(element, `No invoker can be called "${name}": no address could name it.`);
  return name;
}

function optional(root: XmlElement, name: string, faults: FaultList): string | null {
  const element = childOf(root, name, faults);
  return (element && textOf(element).trim()) || null;
}

function requiredData(root: XmlElement, faults: FaultList): RequiredField[] {
  const items = childrenOf(childOf(root, 'requiredData', faults), 'item');
  const fields = items.map((element) => ({
    element,
    name: filledAttribute(element, 'name', faults),
    type: attributeOr(element, 'type', 'string', faults),
    visibility: visibilityOf(element, faults),
    value: textOf(element).trim(),
  }));
  warnOfSameNames(fields, 'a field', faults);
  const first = new Map(fields.toReversed().map((field) => [field.name, field]));
  return fields
    .filter((field) => first.get(field.name) === field)
    .map(({ name, type, visibility, value }) => ({ name, type, visibility, value }));
}

function visibilityOf(element: XmlElement, faults: FaultList): Visibility {
  const said = filledAttribute(element, 'visibility', faults);
  const known = VISIBILITIES.find((visibility) => visibility === said);
  if (!known && said !== '')
    faults.add(element, `The visibility is one of ${VISIBILITIES.join(', ')}.`);
  return known ?? 'private';
}
