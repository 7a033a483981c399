import type { XmlElement } from '../../../platform/xml/read-xml';
import { writeXml } from '../../../platform/xml/write-xml';
import type { XmlNode } from '../../../platform/xml/write-xml';
import { textOf } from './elements';

/**
 * Returns the XML of a parsed tree, including elements without meaning here; only comments are
 * lost.
 */
export const writeInvoker = (root: XmlElement): string => writeXml(nodeOf(root));

/** Whitespace between child elements is generated. */
const nodeOf = (element: XmlElement): XmlNode => ({
  name: element.name,
  attributes: element.attributes,
  text: element.children.length > 0 ? element.text.trim() : textOf(element),
  children: element.children.map(nodeOf),
});
