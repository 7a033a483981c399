import type { CST, Node, Pair } from 'yaml';
import type { FileLine } from './config-lines';
import { joinPath } from './config-node';
import type { ConfigNode, NodeKind } from './config-node';
import { parseYaml, plainOf, yaml } from './parse-yaml';
import type { ParsedYaml, Value } from './parse-yaml';

/** Number of values that the aliases of a file may stand for. */
const MAX_ALIASED_VALUES = 10_000;

type Item = CST.BlockMap['items'][number] | CST.BlockSequence['items'][number];
type Entry = Pair<Node, Node | null> & { readonly srcToken?: Item };

/** The keys of all documents in the order of the file. */
export class NodeReader {
  readonly all: ConfigNode[] = [];
  readonly roots: readonly ConfigNode[];
  readonly text: string;
  /** Texts of the comments that stand alone on their lines, and of those after a key. */
  readonly comments = new Map<number, string>();
  readonly inlineComments = new Map<number, string>();
  /** Lines between documents. */
  readonly separators: readonly number[];
  private readonly yaml: ParsedYaml;
  private readonly targets = new Map<Node, Node | undefined>();
  private budget = MAX_ALIASED_VALUES;

  /** @param parent the key below which the lines stand */
  constructor(
    readonly lines: readonly FileLine[],
    parent: ConfigNode | null = null,
  ) {
    this.text = lines.map(({ text, lineEnd }) => text + lineEnd).join('');
    this.yaml = parseYaml(this.text, false);
    for (const { offset, text } of this.yaml.comments) {
      const isOwnLine = this.text.slice(this.starts[this.lineAt(offset)], offset).trim() === '';
      (isOwnLine ? this.comments : this.inlineComments).set(this.lineAt(offset), text);
    }
    this.separators = this.yaml.separators.map((offset) => this.lineAt(offset));
    this.noteAnchors();
    this.roots = this.yaml.documents.flatMap(({ contents }) =>
      yaml().isMap(contents) ? this.childrenOf(contents, parent, false) : [],
    );
  }

  /** Offset of each line. */
  get starts(): readonly number[] {
    return this.yaml.lineCounter.lineStarts;
  }

  /** The line of the first error; undefined for none. */
  get errorLine(): number | undefined {
    const [error] = this.yaml.documents.flatMap(({ errors }) => errors);
    return error && this.lineAt(error.pos[0]);
  }

  private lineAt(offset: number): number {
    return Math.min(this.yaml.lineCounter.linePos(offset).line, this.lines.length) - 1;
  }

  /** An anchor may be set again further below; one in a comment is none for keys in use. */
  private noteAnchors(): void {
    const anchors = new Map<string, Node>();
    const Node = (_key: unknown, node: Node): void => {
      const { anchor } = node as { anchor?: string };
      if (yaml().isAlias(node)) this.targets.set(node, anchors.get(node.source));
      else if (anchor !== undefined && (!anchors.has(anchor) || this.isInUse(node.range?.[0] ?? 0)))
        anchors.set(anchor, node);
    };
    for (const document of this.yaml.documents) yaml().visit(document, { Node });
  }

  private isInUse(offset: number): boolean {
    return this.lines[this.lineAt(offset)].hashes.length === 0;
  }

  private childrenOf(
    node: Node | null,
    parent: ConfigNode | null,
    isInFlow: boolean,
  ): readonly ConfigNode[] {
    const { isMap, isScalar, isSeq } = yaml();
    if (isMap(node))
      return (node.items as Entry[]).flatMap((pair) => {
        const { key, value } = pair;
        if (!isScalar(key) || typeof key.value !== 'string' || !key.range) return [];
        return [this.add(parent, key.value, value, isInFlow, key.range[0], indicatorEnd(pair))];
      });
    if (!isSeq(node)) return [];
    const items = itemsOf(node);
    return (node.items as Node[]).map((item, index) => {
      const start = isInFlow ? [] : (items[index]?.start ?? []);
      const from =
        start.find(({ type }) => type === 'seq-item-ind')?.offset ?? item.range?.[0] ?? 0;
      return this.add(parent, `[${index}]`, item, isInFlow, from, endOfTokens(start) ?? from);
    });
  }

  private add(
    parent: ConfigNode | null,
    key: string,
    node: Node | null,
    isInFlow: boolean,
    offset: number,
    afterIndicator: number,
  ): ConfigNode {
    const firstLine = this.lineAt(offset);
    const start = this.starts[firstLine];
    const end = Math.max(afterIndicator, this.endOf(node, afterIndicator));
    const kind = kindOf(node);
    const added: ConfigNode = {
      key,
      path: joinPath(parent?.path ?? '', key),
      status: this.isInUse(offset) ? 'active' : 'inactive',
      kind,
      parent,
      children: [],
      comments: [],
      node,
      value: () => this.valueOf(node, new Set()),
      isInFlow,
      ownsLines: !isInFlow && this.text.slice(start, offset).trim() === '',
      firstLine,
      lastLine: this.lineAt(this.text[end - 1] === '\n' ? end : Math.max(end - 1, offset)),
      column: offset - start,
      afterIndicator,
      end,
    };
    this.all.push(added);
    added.children = this.childrenOf(node, added, isInFlow || kind.startsWith('flow'));
    return added;
  }

  /** Returns the offset after the last character of a value. */
  private endOf(node: Node | null, start: number): number {
    const { isCollection, isPair, isScalar } = yaml();
    if (!node?.range) return start;
    const [from, to] = node.range;
    if (isCollection(node) && node.flow !== true) {
      const last = node.items.at(-1);
      return isPair(last)
        ? this.endOf((last as Entry).value, indicatorEnd(last as Entry))
        : this.endOf(last as Node, endOfTokens(itemsOf(node).at(-1)?.start) ?? start);
    }
    if (from === to) return start;
    if (!isScalar(node) || !String(node.type).startsWith('BLOCK_')) return to;
    // Empty lines at the end belong to a text that keeps them only.
    const text = this.text.slice(from, to);
    return from + (/^[|>]\d?\+/.test(text) ? text.replace(/\r?\n$/, '') : text.trimEnd()).length;
  }

  private valueOf(node: Node | null, open: ReadonlySet<Node>): Value {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isScalar(node)) return plainOf(node);
    if (isSeq(node)) return (node.items as Node[]).map((item) => this.valueOf(item, open));
    if (isAlias(node)) {
      // One to itself, to nothing, or to too many values is shown as it is written.
      const target = this.targets.get(node);
      this.budget -= 1;
      return target === undefined || open.has(target) || this.budget < 0
        ? `*${node.source}`
        : this.valueOf(target, new Set([...open, target]));
    }
    if (!isMap(node)) return null;
    const entries = (node.items as Entry[]).flatMap(({ key, value }) =>
      isScalar(key) && typeof key.value === 'string'
        ? [[key.value, this.valueOf(value, open)] as const]
        : [],
    );
    return entries.length === 0 ? null : Object.fromEntries(entries);
  }
}

/** Returns where the colon or dash, tag and anchor end. */
function endOfTokens(tokens: readonly CST.SourceToken[] = []): number | undefined {
  const last = tokens.findLast(({ type }) => !/^(?:space|comment|newline|comma)$/.test(type));
  return last && last.offset + last.source.length;
}

function indicatorEnd({ key, srcToken }: Entry): number {
  return endOfTokens(srcToken && 'sep' in srcToken ? srcToken.sep : []) ?? key.range?.[1] ?? 0;
}

const itemsOf = ({ srcToken }: Node): readonly Item[] =>
  srcToken && 'items' in srcToken ? (srcToken.items as readonly Item[]) : [];

function kindOf(node: Node | null): NodeKind {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  if (isAlias(node)) return 'alias';
  if (isMap(node)) return node.flow === true ? 'flow-block' : 'block';
  if (isSeq(node)) return node.flow === true ? 'flow-list' : 'list';
  const [start, end] = node?.range ?? [];
  return isScalar(node) && ((node.source !== '' && node.source !== undefined) || start !== end)
    ? 'scalar'
    : 'empty';
}
