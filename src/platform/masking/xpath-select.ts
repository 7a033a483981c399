import type { Budget } from './spans';
import type { XmlNode } from './xml-nodes';
import type { XPath, XPathStep, XPathTerm } from './xpath';

type Value = number | string | boolean | readonly XmlNode[];

/** Context of a condition. */
interface Place {
  readonly node: XmlNode;
  readonly position: number;
  readonly size: number;
}

/** Evaluates an XPath 1.0 location path; compares prefixed names literally. @throws TooCostly */
export function selectNodes(path: XPath, root: XmlNode, budget: Budget): XmlNode[] {
  return new Selection(root, budget).walk(path, root);
}

class Selection {
  constructor(
    private readonly root: XmlNode,
    private readonly budget: Budget,
  ) {}

  walk({ isAbsolute, steps }: XPath, from: XmlNode): XmlNode[] {
    let nodes = [isAbsolute ? this.root : from];
    for (const step of steps) nodes = this.step(step, nodes);
    return nodes;
  }

  /** Returns the nodes in document order without duplicates. */
  private step(step: XPathStep, from: readonly XmlNode[]): XmlNode[] {
    const found = new Set<XmlNode>();
    // Skip subtrees that were visited already; conditions depend on the start node.
    const walked = step.conditions.length === 0 ? new Set<XmlNode>() : null;
    for (const node of from) {
      let candidates = this.onAxis(step, node, walked).filter((one) => passes(step, one));
      for (const condition of step.conditions) {
        const { length: size } = candidates;
        candidates = candidates.filter((one, nth) =>
          this.holds(condition, { node: one, position: nth + 1, size }),
        );
      }
      for (const one of candidates) found.add(one);
    }
    return [...found].sort((one, other) => one.order - other.order);
  }

  private onAxis(
    { axis }: XPathStep,
    node: XmlNode,
    walked: Set<XmlNode> | null,
  ): readonly XmlNode[] {
    this.budget.spend(1);
    if (axis === 'self') return [node];
    if (axis === 'parent') return node.parent === null ? [] : [node.parent];
    if (axis !== 'child' && axis !== 'attribute')
      return this.below(node, axis === 'descendant-or-self', walked);
    const nodes = axis === 'child' ? node.children : node.attributes;
    this.budget.spend(nodes.length);
    return nodes;
  }

  private below(top: XmlNode, withTop: boolean, walked: Set<XmlNode> | null): XmlNode[] {
    if (walked?.has(top) === true) return [];
    const found: XmlNode[] = [];
    const open = [top];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      this.budget.spend(1);
      if (node !== top || withTop) found.push(node);
      walked?.add(node);
      for (const child of node.children.toReversed())
        if (walked?.has(child) !== true) open.push(child);
    }
    return found;
  }

  private holds(condition: XPathTerm, place: Place): boolean {
    const value = this.value(condition, place);
    return typeof value === 'number' ? value === place.position : truth(value);
  }

  private value(term: XPathTerm, place: Place): Value {
    this.budget.spend(1);
    switch (term.kind) {
      case 'number':
      case 'text':
        return term.value;
      case 'path':
        return this.walk(term.path, place.node);
      case 'and':
        return term.parts.every((part) => truth(this.value(part, place)));
      case 'or':
        return term.parts.some((part) => truth(this.value(part, place)));
      case 'compare':
        return this.compared(
          term.relation,
          this.value(term.left, place),
          this.value(term.right, place),
        );
      case 'call':
        return this.called(
          term.name,
          term.given.map((one) => this.value(one, place)),
          place,
        );
    }
  }

  private called(name: string, given: readonly Value[], { node, position, size }: Place): Value {
    const text = (nth: number): string =>
      given[nth] === undefined ? this.text([node]) : this.text(given[nth]);
    const first = given[0] === undefined ? node : isNodes(given[0]) ? given[0][0] : undefined;
    switch (name) {
      case 'position':
        return position;
      case 'last':
        return size;
      case 'true':
        return true;
      case 'not':
        return !truth(given[0] ?? false);
      case 'contains':
        return text(0).includes(text(1));
      case 'starts-with':
        return text(0).startsWith(text(1));
      case 'normalize-space':
        return text(0)
          .trim()
          .replace(/[ \t\r\n]+/g, ' ');
      case 'string':
        return text(0);
      case 'string-length':
        return [...text(0)].length;
      case 'name':
        return first?.name ?? '';
      case 'local-name':
        return first?.name.slice(first.name.indexOf(':') + 1) ?? '';
      case 'count':
        return given[0] !== undefined && isNodes(given[0]) ? given[0].length : 0;
      default:
        return false;
    }
  }

  private compared(relation: string, left: Value, right: Value): boolean {
    if (isNodes(left) && typeof right !== 'boolean')
      return left.some((one) => this.compared(relation, this.text([one]), right));
    if (isNodes(right) && typeof left !== 'boolean')
      return right.some((one) => this.compared(relation, left, this.text([one])));
    this.budget.spend(1);
    const [one, other] = [
      isNodes(left) ? truth(left) : left,
      isNodes(right) ? truth(right) : right,
    ];
    if (relation !== '=' && relation !== '!=')
      return ordered(relation, this.number(one), this.number(other));
    return this.same(one, other) === (relation === '=');
  }

  private same(
    one: Exclude<Value, readonly XmlNode[]>,
    other: Exclude<Value, readonly XmlNode[]>,
  ): boolean {
    if (typeof one === 'boolean' || typeof other === 'boolean') return truth(one) === truth(other);
    return typeof one === 'number' || typeof other === 'number'
      ? this.number(one) === this.number(other)
      : one === other;
  }

  private number(value: Value): number {
    if (typeof value === 'number') return value;
    if (typeof value === 'boolean') return value ? 1 : 0;
    const text = this.text(value).trim();
    return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN;
  }

  /** String value; of a node set, that of its first node. */
  private text(value: Value): string {
    if (!isNodes(value)) return String(value);
    const [node] = value;
    if (node === undefined) return '';
    if (node.kind !== 'element' && node.kind !== 'root') return this.spent(node.value);
    return this.below(node, false, null)
      .map(({ kind, value: text }) => (kind === 'text' ? this.spent(text) : ''))
      .join('');
  }

  private spent(text: string): string {
    this.budget.spend(text.length);
    return text;
  }
}

const isNodes = (value: Value): value is readonly XmlNode[] => Array.isArray(value);
const truth = (value: Value): boolean =>
  isNodes(value)
    ? value.length > 0
    : typeof value === 'number'
      ? value !== 0 && !Number.isNaN(value)
      : typeof value === 'string'
        ? value !== ''
        : value;

function ordered(relation: string, one: number, other: number): boolean {
  if (relation === '<') return one < other;
  if (relation === '<=') return one <= other;
  return relation === '>' ? one > other : one >= other;
}

function passes({ axis, test }: XPathStep, { kind, name }: XmlNode): boolean {
  if (test === 'node()') return true;
  if (test === 'text()' || test === 'comment()') return `${kind}()` === test;
  if (kind !== (axis === 'attribute' ? 'attribute' : 'element')) return false;
  return (
    test === '*' || test === name || (test.endsWith(':*') && name.startsWith(test.slice(0, -1)))
  );
}
