import { LRUCache } from 'lru-cache';

const MAX_BLOCKS = 500;

/**
 * Remembers how keys were commented out before they were used, so that they can be written in the
 * same way again.
 */
export class CommentMemory {
  private readonly blocks = new LRUCache<string, string>({ max: MAX_BLOCKS });

  /** @param text the lines in use @param commented the same lines, commented out */
  remember(path: string, text: string, commented: string): void {
    this.blocks.set(`${path}\n${text}`, commented);
  }

  recall(path: string, text: string): string | undefined {
    return this.blocks.get(`${path}\n${text}`);
  }
}
