import type { DocumentNode } from 'graphql';

/** Caps of what is remembered. A node of a parsed document takes about 300 bytes. */
const MOST = { documents: 1_000, nodes: 200_000 } as const;

interface Entry {
  readonly document: DocumentNode;
  readonly nodes: number;
}

/** Parsed and valid documents by the SHA-256 of their text; the least recently used ones make room. */
export class DocumentCache {
  private readonly entries = new Map<string, Entry>();
  private nodes = 0;

  get(hash: string): DocumentNode | undefined {
    const entry = this.entries.get(hash);
    if (!entry) return undefined;
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    return entry.document;
  }

  set(hash: string, document: DocumentNode, nodes: number): void {
    this.forget(hash);
    this.entries.set(hash, { document, nodes });
    this.nodes += nodes;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST.documents && this.nodes <= MOST.nodes) return;
      this.forget(oldest);
    }
  }

  get size(): number {
    return this.entries.size;
  }

  private forget(hash: string): void {
    this.nodes -= this.entries.get(hash)?.nodes ?? 0;
    this.entries.delete(hash);
  }
}
