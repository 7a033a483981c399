import type { Alias, CST, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import { attachComments } from './comments';
import { joinPath, textOf } from './config-lines';
import type { FileLine } from './config-lines';
import type { ConfigNode, ConfigText, NodeKind } from './config-node';
import { parseDocuments, plainOf, yaml } from './parse-yaml';
import type { Line, Value, YamlDocument } from './parse-yaml';

/** Number of values that the aliases of a file may stand for. */
const MAX_ALIASED_VALUES = 10_000;

type Item = CST.BlockMap['items'][number] | CST.BlockSequence['items'][number];
const VOID: ReadonlySet<string> = new Set(['space', 'comment', 'newline', 'comma']);
const endOf = (tokens: readonly CST.SourceToken[] | undefined): number | null => {
  const last = tokens?.findLast(({ type }) => !VOID.has(type));
  return last === undefined ? null : last.offset + last.source.length;
};

/** Reads the keys of all documents in the order of the file. */
export class NodeReader {
  readonly starts: number[] = [];
  readonly all: ConfigNode[] = [];
  readonly documents: readonly YamlDocument[];
  private readonly text: string;
  private readonly roots: ConfigNode[] = [];
  private readonly anchors = new Map<string, Node>();
  private readonly targets = new Map<Node, Node>();
  private budget = MAX_ALIASED_VALUES;

  constructor(
    private readonly lines: readonly FileLine[],
    private readonly scanned: readonly Line[],
  ) {
    let offset = 0;
    for (const { text, lineEnd } of lines) {
      this.starts.push(offset);
      offset += text.length + lineEnd.length;
    }
    this.text = textOf(lines);
    this.documents = parseDocuments(this.text, false);
    for (const { contents } of this.documents)
      if (yaml().isMap(contents)) this.roots.push(...this.pairsOf(contents, null));
  }

  get hasErrors(): boolean {
    return this.documents.some(({ errors }) => errors.length > 0);
  }

  result(): Omit<ConfigText, 'mark'> {
    const { lines, starts, all } = this;
    const byPath = new Map<string, ConfigNode>();
    for (const node of all) if (node.status === 'active') byPath.set(node.path, node);
    const hidden = new Set<ConfigNode>();
    const off = all.filter(({ status }) => status === 'inactive');
    const isMarked = ({ firstLine }: ConfigNode): boolean =>
      lines[firstLine].hashes.some(({ style }) => style === 'mark');
    for (const node of [...off.filter(isMarked), ...off.filter((each) => !isMarked(each))])
      if (byPath.has(node.path) || (node.parent !== null && hidden.has(node.parent)))
        hidden.add(node);
      else byPath.set(node.path, node);
    const shownOf = (nodes: readonly ConfigNode[]): ConfigNode[] =>
      nodes
        .filter((node) => !hidden.has(node))
        .map((node) => {
          (node as { children: readonly ConfigNode[] }).children = shownOf(node.children);
          return node;
        });
    const roots = shownOf(this.roots);
    const shown = all.filter((node) => !hidden.has(node));
    const comments = attachComments(this.scanned, lines, shown, [...hidden]);
    return { lines, starts, roots, all, byPath, comments };
  }

  /** Returns the line that contains an offset. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private pairsOf(map: YAMLMap, parent: ConfigNode | null): ConfigNode[] {
    const isInFlow = map.flow === true || (parent?.isInFlow ?? false);
    return map.items.flatMap((pair: Pair) => {
      const { key, srcToken } = pair as Pair<Node, Node | null> & { srcToken?: Item };
      if (!yaml().isScalar(key) || typeof key.value !== 'string' || !key.range) return [];
      const isExplicit = srcToken?.start.some(({ type }) => type === 'explicit-key-ind') ?? false;
      const sep = srcToken && 'sep' in srcToken ? srcToken.sep : undefined;
      return [
        this.add(parent, pair.value as Node | null, {
          key: key.value,
          offset: key.range[0],
          afterIndicator: endOf(sep) ?? key.range[1],
          isInFlow,
          isPlain: !isExplicit && !isInFlow && sep !== undefined,
        }),
      ];
    });
  }

  private entriesOf(list: YAMLSeq, parent: ConfigNode): ConfigNode[] {
    const isInFlow = list.flow === true || parent.isInFlow;
    const items = ((list.srcToken as CST.BlockSequence | undefined)?.items ??
      []) as readonly Item[];
    const dashes = isInFlow
      ? []
      : items.filter(({ start }) => start.some(({ type }) => type === 'seq-item-ind'));
    return (list.items as Node[]).map((node, index) => {
      const start = dashes[index]?.start;
      const offset = start?.find(({ type }) => type === 'seq-item-ind')?.offset;
      return this.add(parent, node, {
        key: `[${index}]`,
        offset: offset ?? node.range?.[0] ?? 0,
        afterIndicator: endOf(start) ?? node.range?.[0] ?? 0,
        isInFlow,
        isPlain: offset !== undefined,
      });
    });
  }

  private add(
    parent: ConfigNode | null,
    node: Node | null,
    at: {
      readonly key: string;
      readonly offset: number;
      readonly afterIndicator: number;
      readonly isInFlow: boolean;
      readonly isPlain: boolean;
    },
  ): ConfigNode {
    const { isMap, isSeq } = yaml();
    const firstLine = this.lineAt(at.offset);
    const column = at.offset - this.starts[firstLine];
    const status = this.lines[firstLine].hashes.length === 0 ? 'active' : 'inactive';
    const added = {
      key: at.key,
      path: joinPath(parent?.path ?? '', at.key),
      status,
      kind: this.kindOf(node, at.afterIndicator),
      parent,
      children: [] as readonly ConfigNode[],
      comments: [],
      node,
      value: () => this.valueOf(node, new Set()),
      ownsLines: at.isPlain && this.text.slice(this.starts[firstLine], at.offset).trim() === '',
      firstLine,
      lastLine: firstLine,
      column,
      afterIndicator: at.afterIndicator,
      isInFlow: at.isInFlow,
      end: at.afterIndicator,
    } satisfies ConfigNode;
    this.all.push(added);
    if (node !== null) this.noteAnchor(node, status);
    if (isMap(node)) added.children = this.pairsOf(node, added);
    else if (isSeq(node)) added.children = this.entriesOf(node, added);
    added.end = Math.max(
      added.end,
      this.valueEnd(node),
      ...added.children.slice(-1).map(({ end }) => end),
    );
    const isEmptyLine = this.text[added.end - 1] === '\n';
    added.lastLine = Math.max(
      this.lineAt(isEmptyLine ? added.end : Math.max(added.end - 1, at.offset)),
      firstLine,
    );
    return added;
  }

  private kindOf(node: Node | null, afterIndicator: number): NodeKind {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isAlias(node)) return 'alias';
    if (isMap(node)) return node.flow === true ? 'flow-block' : 'block';
    if (isSeq(node)) return node.flow === true ? 'flow-list' : 'list';
    const isEmpty = !isScalar(node) || (node.source ?? '') === '';
    const [start = afterIndicator, end = start] = node?.range ?? [];
    return isEmpty && start === end ? 'empty' : 'scalar';
  }

  /** 0 for a value whose end is that of its last entry. */
  private valueEnd(node: Node | null): number {
    const { isCollection, isMap, isScalar } = yaml();
    if (!node?.range) return 0;
    const [start, end] = node.range;
    if (isCollection(node)) {
      if (node.flow === true) return end;
      // Merge keys are no entries here.
      const last = isMap(node) ? (node.items.at(-1) as Pair<Node, Node> | undefined) : undefined;
      const isMerge = isScalar(last?.key) && typeof last.key.value === 'symbol';
      return isMerge ? this.valueEnd(last?.value ?? null) : 0;
    }
    if (start === end) return 0;
    if (!isScalar(node) || !String(node.type).startsWith('BLOCK_')) return end;
    const text = this.text.slice(start, end);
    return start + (/^[|>]\d?\+/.test(text) ? text.replace(/\r?\n$/, '') : text.trimEnd()).length;
  }

  /** An anchor may be set again further below; one in a comment is none for keys in use. */
  private noteAnchor(node: Node, status: ConfigNode['status']): void {
    const { isAlias } = yaml();
    const target = isAlias(node) ? this.anchors.get(node.source) : undefined;
    if (target !== undefined) this.targets.set(node, target);
    const { anchor } = node as { anchor?: string };
    if (
      !isAlias(node) &&
      anchor !== undefined &&
      (status === 'active' || !this.anchors.has(anchor))
    )
      this.anchors.set(anchor, node);
  }

  private valueOf(node: Node | null, open: ReadonlySet<Node>): Value {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isScalar(node)) return plainOf(node);
    if (isAlias(node)) return this.aliasValue(node, open);
    if (isSeq(node)) return (node.items as Node[]).map((item) => this.valueOf(item, open));
    if (!isMap(node)) return null;
    const entries = (node.items as Pair<Node, Node | null>[]).flatMap(({ key, value }) =>
      isScalar(key) && typeof key.value === 'string'
        ? [[key.value, this.valueOf(value, open)] as const]
        : [],
    );
    return entries.length === 0 ? null : Object.fromEntries(entries);
  }

  /** An alias to itself, to nothing, or to too many values is shown as it is written. */
  private aliasValue(alias: Alias, open: ReadonlySet<Node>): Value {
    const target = this.targets.get(alias);
    this.budget -= 1;
    return target === undefined || open.has(target) || this.budget < 0
      ? `*${alias.source}`
      : this.valueOf(target, new Set([...open, target]));
  }
}
