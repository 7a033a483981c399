import type { ConfigText, Value } from './config-text';
import { joinPath } from './entry';
import type { Entry, EntryKind, InactiveBlock } from './entry';

export interface NodeComment {
  readonly position: 'before' | 'inline' | 'after';
  readonly text: string;
}

/** A key of a configuration file, whether in use or commented out. */
export interface ConfigNode {
  readonly key: string;
  readonly path: string;
  readonly status: 'active' | 'inactive';
  readonly kind: EntryKind;
  readonly children: readonly ConfigNode[];
  readonly comments: NodeComment[];
  /** The value of a node without children. */
  readonly value: () => Value;
  readonly entry: Entry;
  /** The block that contains it, if it is commented out. */
  readonly block: InactiveBlock | null;
}

export interface FileComment {
  readonly position: 'header' | 'footer';
  readonly text: string;
}

export interface ConfigTree {
  readonly roots: readonly ConfigNode[];
  readonly comments: readonly FileComment[];
  /** Every node by its path. */
  readonly byPath: ReadonlyMap<string, ConfigNode>;
}

interface Part {
  readonly line: number;
  readonly node: ConfigNode;
}

/** Returns the text of a comment without its `#`. */
const commentText = (line: string): string => line.trim().replace(/^#+ ?/, '');

/** Builds the tree of a file. If a path stands there twice, the key in use is shown, else the first. */
export function treeOf(text: ConfigText): ConfigTree {
  const byPath = new Map<string, ConfigNode>();
  const builder = new TreeBuilder(text, '', null, (path) => text.entries.has(path), byPath);
  const roots = builder.build();
  return { roots, comments: builder.fileComments, byPath };
}

class TreeBuilder {
  readonly fileComments: FileComment[] = [];
  private readonly parts: Part[] = [];

  constructor(
    private readonly text: ConfigText,
    private readonly prefix: string,
    private readonly block: InactiveBlock | null,
    private readonly isActive: (path: string) => boolean,
    private readonly byPath: Map<string, ConfigNode>,
  ) {}

  build(): readonly ConfigNode[] {
    const below = new Map<Entry | null, InactiveBlock[]>();
    for (const block of this.text.inactive) {
      const blocks = below.get(block.parent);
      if (blocks === undefined) below.set(block.parent, [block]);
      else blocks.push(block);
    }
    const nodesBelow = (parent: Entry | null, entries: readonly Entry[]): ConfigNode[] => {
      const found: Part[] = entries.map((entry) => ({
        line: entry.firstLine,
        node: this.node(entry, nodesBelow),
      }));
      for (const block of below.get(parent) ?? []) {
        const node = this.inactiveNode(block);
        if (node !== null) found.push({ line: block.firstLine, node });
      }
      return found.sort((one, other) => one.line - other.line).map(({ node }) => node);
    };
    const roots = nodesBelow(null, this.text.roots);
    this.attachComments();
    return roots;
  }

  private node(
    entry: Entry,
    nodesBelow: (parent: Entry, entries: readonly Entry[]) => ConfigNode[],
  ): ConfigNode {
    const path = joinPath(this.prefix, entry.path);
    const node: ConfigNode = {
      key: entry.key,
      path,
      status: this.block === null ? 'active' : 'inactive',
      kind: entry.kind,
      children: nodesBelow(entry, entry.children),
      comments:
        entry.inlineComment === null
          ? []
          : [{ position: 'inline', text: commentText(entry.inlineComment) }],
      value: () => this.text.valueOf(entry),
      entry,
      block: this.block,
    };
    this.parts.push({ line: entry.firstLine, node });
    if (this.block === null || !this.byPath.has(path)) this.byPath.set(path, node);
    return node;
  }

  private inactiveNode(block: InactiveBlock): ConfigNode | null {
    const path = joinPath(this.prefix, block.path);
    if (this.isActive(path) || this.byPath.get(path)?.status === 'inactive') return null;
    const prefix = joinPath(this.prefix, block.parent?.path ?? '');
    const inside = new TreeBuilder(
      this.text.inside(block),
      prefix,
      this.block ?? block,
      this.isActive,
      this.byPath,
    );
    const [node] = inside.build();
    if (node === undefined) return null;
    this.parts.push({ line: block.firstLine, node });
    return node;
  }

  /** Attaches each run of comment lines to the node below it, else to the one above. */
  private attachComments(): void {
    const { lines, source, inactive } = this.text;
    const shown = this.parts.sort((one, other) => one.line - other.line);
    const isTaken = new Uint8Array(lines.length);
    const shownLines = new Set(shown.map(({ line }) => line));
    for (const { firstLine, lastLine } of inactive)
      if (shownLines.has(firstLine)) isTaken.fill(1, firstLine, lastLine + 1);
    let part = 0;
    for (let line = 0; line < lines.length; line += 1) {
      if (lines[line].kind !== 'comment' || isTaken[line] === 1) continue;
      const first = line;
      while (lines[line + 1]?.kind === 'comment' && isTaken[line + 1] === 0) line += 1;
      const text = Array.from({ length: line - first + 1 }, (_each, index) =>
        commentText(source.slice(lines[first + index].start, lines[first + index].end)),
      ).join('\n');
      while (part < shown.length && shown[part].line <= line) part += 1;
      this.attach(text, line, shown[part - 1]?.node, shown[part]);
    }
  }

  private attach(
    text: string,
    last: number,
    above: ConfigNode | undefined,
    below: Part | undefined,
  ): void {
    const isAdjacent = below !== undefined && below.line === last + 1;
    if (isAdjacent) below.node.comments.unshift({ position: 'before', text });
    else if (above === undefined) this.fileComments.push({ position: 'header', text });
    else if (below === undefined && this.isAfterBlank(last))
      this.fileComments.push({ position: 'footer', text });
    else above.comments.push({ position: 'after', text });
  }

  /** Whether a blank line stands before the run of comments that ends here. */
  private isAfterBlank(last: number): boolean {
    const { lines } = this.text;
    let line = last;
    while (line >= 0 && lines[line].kind === 'comment') line -= 1;
    return line < 0 || lines[line].kind === 'blank';
  }
}
