import { inTurns } from '../../../platform/json/turns';
import type { XmlElement } from '../../../platform/xml/read-xml';
import { writeXml } from '../../../platform/xml/write-xml';
import type { XmlNode } from '../../../platform/xml/write-xml';
import { textOf } from './elements';

/** The XML of an invoker that was read, with all that has no meaning here; comments alone are lost. In turns. */
export function writeInvoker(root: XmlElement): Promise<string> {
  return inTurns(function* (turn) {
    const lines: string[] = [];
    for (const line of writeXml(nodeOf(root))) {
      lines.push(line);
      if (turn.over) yield;
    }
    return lines.join('');
  });
}

/** Blanks around the elements in an element are written anew. */
const nodeOf = (element: XmlElement): XmlNode => ({
  name: element.name,
  attributes: element.attributes,
  text: element.children.length > 0 ? element.text.trim() : textOf(element),
  children: element.children.map(nodeOf),
});
