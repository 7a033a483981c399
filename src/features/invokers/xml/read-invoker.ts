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
import { readOperations, readPagination } from './operation';

const MAX_NAME_LENGTH = 255;
/** Reserved words that occur in place of invoker names in REST paths. */
const RESERVED_NAMES: readonly string[] = ['all', 'exists', 'refresh', 'synchronisation'];
/** Path segments that clients resolve before they send a URL, even if encoded. */
const DOT_SEGMENTS: readonly string[] = ['.', '..'];

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
    return definition(root, origin);
  } catch (error) {
    throw error instanceof XmlFault ? new InvokerFaults([error]) : error;
  }
}

function definition(root: XmlElement, origin: Origin): InvokerDefinition {
  const faults = new FaultList(origin);
  if (root.name !== 'invoker') {
    faults.add(root, `This is not an invoker: the root element is <${root.name.slice(0, 50)}>.`);
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
    operations: readOperations(root, faults),
  };
  faults.refuse();
  return { ...read, warnings: faults.warnings };
}

function nameOf(root: XmlElement, faults: FaultList): string {
  const element = requiredChild(root, 'name', faults);
  const name = element ? textOf(element).trim() : '';
  if (!element) return name;
  if (name === '') faults.add(element, '<name> is empty.');
  else if (hasMoreCharacters(name, MAX_NAME_LENGTH))
    faults.add(element, `A name may have at most ${MAX_NAME_LENGTH} characters.`);
  else if (!isVisible(name)) faults.add(element, 'The name has invisible characters.');
  else if (RESERVED_NAMES.includes(name))
    faults.add(element, `The name "${name}" is reserved: the REST API uses it in paths.`);
  else if (DOT_SEGMENTS.includes(name))
    faults.add(element, `The name "${name}" is invalid: it cannot be part of a URL.`);
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
  const text = filledAttribute(element, 'visibility', faults);
  const listed = VISIBILITIES.find((visibility) => visibility === text);
  if (!listed && text !== '')
    faults.add(element, `The visibility must be one of ${VISIBILITIES.join(', ')}.`);
  return listed ?? 'private';
}
