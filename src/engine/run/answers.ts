import { EngineError } from '../errors';
import type { Exchange, LoopFrame } from '../reference/scope';
import type { MethodNode } from '../plan/plan';

interface Kept {
  readonly exchange: Exchange;
  readonly bytes: number;
}

/**
 * Responses of the run by step and loop iterations. A reader in the same loops gets the response of
 * its own iterations; a reader in other loops gets that of the same positions (released versions
 * pair source and target loops this way).
 */
export class Answers {
  private readonly byColor = new Map<string, { node: MethodNode; kept: Map<string, Kept> }>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** @throws EngineError RUN_OUT_OF_MEMORY */
  keep(node: MethodNode, loops: readonly LoopFrame[], exchange: Exchange, bytes: number): void {
    if (node.color === null || node.keep === 'NONE') return;
    const entry = this.byColor.get(node.color) ?? { node, kept: new Map<string, Kept>() };
    this.byColor.set(node.color, entry);
    if (node.keep === 'TURN') this.forget(entry.kept);
    const key = keyOf(loops, node.loops.length);
    this.bytes += bytes - (entry.kept.get(key)?.bytes ?? 0);
    if (this.bytes > this.maxBytes) {
      throw new EngineError(
        'RUN_OUT_OF_MEMORY',
        `The responses that later steps refer to are larger than ${this.maxBytes} bytes together.`,
      );
    }
    entry.kept.set(key, { exchange, bytes });
  }

  find(color: string, loops: readonly LoopFrame[]): Exchange | undefined {
    const entry = this.byColor.get(color);
    if (entry === undefined || loops.length < entry.node.loops.length) return undefined;
    return entry.kept.get(keyOf(loops, entry.node.loops.length))?.exchange;
  }

  /** Yields all responses that later steps may read. */
  *all(): Generator<Exchange> {
    for (const { kept } of this.byColor.values())
      for (const { exchange } of kept.values()) yield exchange;
  }

  private forget(kept: Map<string, Kept>): void {
    for (const { bytes } of kept.values()) this.bytes -= bytes;
    kept.clear();
  }
}

/** Iterations of the outer loops; by name for keys, since objects may have different key orders. */
function keyOf(loops: readonly LoopFrame[], depth: number): string {
  let key = '#';
  for (let level = 0; level < depth; level += 1) {
    const frame = loops[level];
    key += frame.kind === 'ForIn' ? `,${JSON.stringify(frame.value)}` : `,${frame.turn}`;
  }
  return key;
}
