import { withoutEntities } from './encodings';

/** A node of an XML text with its position; for an element, the position of its content. */
export interface XmlNode {
  readonly kind: 'root' | 'element' | 'attribute' | 'text' | 'comment';
  /** Includes the prefix. */
  readonly name: string;
  readonly parent: XmlNode | null;
  readonly children: XmlNode[];
  readonly attributes: XmlNode[];
  readonly order: number;
  readonly start: number;
  end: number;
  /** Decoded text of nodes without children. */
  value: string;
}

/** Maximum nesting of elements. */
const DEEPEST = 500;
const NAME = '[^\\s<>/=\'"&!?]+';
const START = new RegExp(`<(${NAME})`, 'y');
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const END_OF_START = /\s*(\/?)>/y;
const END = new RegExp(`</(${NAME})\\s*>`, 'y');

/**
 * Parses XML into nodes with offsets, which `readXml` does not have. Decodes the five predefined
 * entities only.
 * @throws SyntaxError invalid XML, or a `DOCTYPE`
 */
export function xmlNodes(text: string): XmlNode {
  return new NodeReader(text).read();
}

class NodeReader {
  private at = 0;
  private order = 0;
  private depth = 0;
  private readonly root = this.node('root', '', null, 0, '');
  private open = this.root;

  constructor(private readonly text: string) {}

  read(): XmlNode {
    while (this.at < this.text.length) this.readNext();
    if (this.open !== this.root || !this.root.children.some(({ kind }) => kind === 'element'))
      throw new SyntaxError('An element is not closed, or there is none.');
    return this.root;
  }

  private readNext(): void {
    const { text, at } = this;
    if (text[at] !== '<') {
      const end = text.indexOf('<', at);
      this.readText(at, end < 0 ? text.length : end, withoutEntities);
    } else if (text.startsWith('<!--', at)) {
      const value = text.slice(at + 4, this.moveBehind('-->', at + 4) - 3);
      this.open.children.push(this.node('comment', '', this.open, at + 4, value));
    } else if (text.startsWith('<![CDATA[', at))
      this.readText(at, this.moveBehind(']]>', at), (section) => section.slice(9, -3));
    else if (text.startsWith('<?', at)) this.moveBehind('?>', at);
    else if (text.startsWith('</', at)) this.readEnd(at);
    else this.readStart();
  }

  /** Merges adjacent text and CDATA into one text node. */
  private readText(start: number, end: number, decode: (written: string) => string): void {
    this.at = end;
    const value = decode(this.text.slice(start, end));
    let node = this.open.children.at(-1);
    if (node?.kind !== 'text') {
      if (this.open === this.root && value.trim() !== '' && value.trim() !== '\ufeff')
        throw new SyntaxError('There is text outside of the element.');
      node = this.node('text', '', this.open, start, '');
      this.open.children.push(node);
    }
    node.value += value;
    node.end = end;
  }

  private readStart(): void {
    const name = this.match(START)[1] ?? '';
    const attributes: [name: string, start: number, written: string][] = [];
    for (let match = this.tryMatch(ATTRIBUTE); match !== null; match = this.tryMatch(ATTRIBUTE)) {
      const written = match[2] ?? match[3] ?? '';
      attributes.push([match[1] ?? '', this.at - 1 - written.length, written]);
    }
    const isEmpty = this.match(END_OF_START)[1] === '/';
    const element = this.node('element', name, this.open, this.at, '');
    this.open.children.push(element);
    for (const [of, start, written] of attributes) {
      const attribute = this.node('attribute', of, element, start, written);
      attribute.value = withoutEntities(written);
      element.attributes.push(attribute);
    }
    if (isEmpty) return;
    this.open = element;
    this.depth += 1;
    if (this.depth > DEEPEST) throw new SyntaxError('The XML text is nested too deeply.');
  }

  private readEnd(at: number): void {
    const { open } = this;
    if (this.match(END)[1] !== open.name || open.parent === null)
      throw new SyntaxError('The end tag belongs to another element.');
    open.end = at;
    this.open = open.parent;
    this.depth -= 1;
  }

  private node(
    kind: XmlNode['kind'],
    name: string,
    parent: XmlNode | null,
    start: number,
    value: string,
  ): XmlNode {
    const [order, end] = [(this.order += 1), start + value.length];
    return { kind, name, parent, children: [], attributes: [], order, start, end, value };
  }

  /** Moves to the position after `mark`. */
  private moveBehind(mark: string, from: number): number {
    const index = this.text.indexOf(mark, from);
    if (index < 0) throw new SyntaxError(`${mark} is missing.`);
    this.at = index + mark.length;
    return this.at;
  }

  private tryMatch(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }

  private match(pattern: RegExp): RegExpExecArray {
    const match = this.tryMatch(pattern);
    if (match === null) throw new SyntaxError(`Invalid XML at ${this.at}.`);
    return match;
  }
}

/** Maximum number of visited nodes and compared characters. */
const MOST_STEPS = 5_000_000;

export type XPathValue = number | string | boolean | readonly XmlNode[];

export type XPathAxis =
  'child' | 'attribute' | 'self' | 'parent' | 'descendant' | 'descendant-or-self';

export interface XPathStep {
  readonly axis: XPathAxis;
  /** A name, `*`, `prefix:*`, `text()`, `node()` or `comment()`. */
  readonly test: string;
  readonly conditions: readonly XPathTerm[];
}

export interface XPath {
  /** Starts at the root. */
  readonly isAbsolute: boolean;
  readonly steps: readonly XPathStep[];
}

/** Context of a condition. */
export interface XPathContext {
  readonly node: XmlNode;
  readonly position: number;
  readonly size: number;
}

/** A compiled expression within a condition. */
export type XPathTerm = (selection: XPathSelection, context: XPathContext) => XPathValue;

/**
 * Evaluates XPath 1.0 location paths in a document; compares prefixed names literally. Throws if it
 * needs too many steps.
 */
export class XPathSelection {
  private stepsLeft = MOST_STEPS;

  constructor(private readonly root: XmlNode) {}

  /** Returns the selected nodes in document order without duplicates. */
  select({ isAbsolute, steps }: XPath, from = this.root): XmlNode[] {
    return steps.reduce((nodes, step) => this.step(step, nodes), [isAbsolute ? this.root : from]);
  }

  evaluate(term: XPathTerm, context: XPathContext): XPathValue {
    this.spend(1);
    return term(this, context);
  }

  private step(step: XPathStep, from: readonly XmlNode[]): XmlNode[] {
    const nodes = new Set<XmlNode>();
    // Skip subtrees that were visited already; conditions depend on the start node.
    const walked = step.conditions.length === 0 ? new Set<XmlNode>() : null;
    for (const node of from) {
      let candidates = this.onAxis(step.axis, node, walked).filter((one) => passes(step, one));
      for (const condition of step.conditions) {
        const { length: size } = candidates;
        candidates = candidates.filter((one, nth) => {
          const value = this.evaluate(condition, { node: one, position: nth + 1, size });
          return typeof value === 'number' ? value === nth + 1 : isTrue(value);
        });
      }
      for (const one of candidates) nodes.add(one);
    }
    return [...nodes].sort((one, other) => one.order - other.order);
  }

  private onAxis(axis: XPathAxis, node: XmlNode, walked: Set<XmlNode> | null): XmlNode[] {
    this.spend(1);
    if (axis === 'self') return [node];
    if (axis === 'parent') return node.parent === null ? [] : [node.parent];
    if (axis !== 'child' && axis !== 'attribute')
      return this.below(node, axis === 'descendant-or-self', walked);
    const nodes = axis === 'child' ? node.children : node.attributes;
    this.spend(nodes.length);
    return nodes;
  }

  private below(top: XmlNode, withTop: boolean, walked: Set<XmlNode> | null): XmlNode[] {
    if (walked?.has(top) === true) return [];
    const nodes: XmlNode[] = [];
    const open = [top];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      this.spend(1);
      if (node !== top || withTop) nodes.push(node);
      walked?.add(node);
      for (const child of node.children.toReversed())
        if (walked?.has(child) !== true) open.push(child);
    }
    return nodes;
  }

  compare(relation: string, left: XPathValue, right: XPathValue): boolean {
    if (isNodes(left) && typeof right !== 'boolean')
      return left.some((one) => this.compare(relation, this.text([one]), right));
    if (isNodes(right) && typeof left !== 'boolean')
      return right.some((one) => this.compare(relation, left, this.text([one])));
    this.spend(1);
    if (relation === '=' || relation === '!=')
      return this.isSame(left, right) === (relation === '=');
    const [one, other] = [this.number(left), this.number(right)];
    if (relation === '<') return one < other;
    if (relation === '<=') return one <= other;
    return relation === '>' ? one > other : one >= other;
  }

  private isSame(one: XPathValue, other: XPathValue): boolean {
    if (typeof one === 'boolean' || typeof other === 'boolean')
      return isTrue(one) === isTrue(other);
    return typeof one === 'number' || typeof other === 'number'
      ? this.number(one) === this.number(other)
      : one === other;
  }

  private number(value: XPathValue): number {
    if (typeof value === 'number') return value;
    if (typeof value === 'boolean' || isNodes(value)) return Number(isTrue(value));
    return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value.trim()) ? Number(value) : NaN;
  }

  /** String value; of a node set, that of its first node. */
  text(value: XPathValue): string {
    if (!isNodes(value)) return String(value);
    const [node] = value;
    if (node === undefined) return '';
    const isLeaf = node.kind !== 'element' && node.kind !== 'root';
    const texts = isLeaf
      ? [node.value]
      : this.below(node, false, null).map(({ kind, value: own }) => (kind === 'text' ? own : ''));
    for (const { length } of texts) this.spend(length);
    return texts.join('');
  }

  private spend(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) throw new RangeError('The rule needs too many steps.');
  }
}

export const isNodes = (value: XPathValue): value is readonly XmlNode[] => Array.isArray(value);

export function isTrue(value: XPathValue): boolean {
  if (isNodes(value)) return value.length > 0;
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : Boolean(value);
}

function passes({ axis, test }: XPathStep, { kind, name }: XmlNode): boolean {
  if (test === 'node()') return true;
  if (test === 'text()' || test === 'comment()') return `${kind}()` === test;
  if (kind !== (axis === 'attribute' ? 'attribute' : 'element')) return false;
  return (
    test === '*' || test === name || (test.endsWith(':*') && name.startsWith(test.slice(0, -1)))
  );
}
