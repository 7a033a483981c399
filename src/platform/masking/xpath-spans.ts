import { Budget } from './spans';
import type { Span } from './spans';
import type { XmlNode } from './xml-nodes';
import { xmlNodes } from './xml-nodes';
import { readXPath } from './xpath';
import { selectNodes } from './xpath-select';

/** Nodes that are looked at, and characters of texts that are compared. */
const MOST_STEPS = 5_000_000;

/** What a location path selects in an XML text: attributes, texts and comments, and of elements what stands in them with their attributes. @throws SyntaxError it is none @throws TooCostly */
export function xpathSpans(expression: string): (text: string) => Span[] {
  const paths = readXPath(expression);
  return (text) => {
    const root = xmlNodes(text);
    const budget = new Budget(MOST_STEPS);
    return paths.flatMap((path) => selectNodes(path, root, budget).flatMap(spansOf));
  };
}

function spansOf(node: XmlNode): Span[] {
  if (node.kind === 'root') return node.children.flatMap(spansOf);
  return [node, ...node.attributes].map(({ start, end }) => ({ start, end }));
}
