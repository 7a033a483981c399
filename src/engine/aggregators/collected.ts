import type { MethodNode } from '../plan/plan';

/** One side of a call, as scripts get it. */
export interface Side {
  /** Null for a request. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly header: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the calls of one method sent and were answered, in their order. */
export interface Calls {
  readonly requests: Side[];
  readonly responses: Side[];
}

/** The calls of methods with an aggregator, up to a number of bytes together: they are kept until the run ends. */
export class Collected {
  /** Null: none of them are kept. */
  private readonly calls = new Map<MethodNode, (Calls & { bytes: number }) | null>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(node: MethodNode, request: Side, response: Side): void {
    const kept = this.calls.get(node) ?? { requests: [], responses: [], bytes: 0 };
    if (this.calls.get(node) === null) return;
    const bytes = bytesOf(request) + bytesOf(response);
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) {
      this.bytes -= bytes + kept.bytes;
      this.drop(node);
      return;
    }
    kept.requests.push(request);
    kept.responses.push(response);
    kept.bytes += bytes;
    this.calls.set(node, kept);
  }

  /** Keeps nothing of a method any more, but that it was called. */
  drop(node: MethodNode): void {
    this.calls.set(node, null);
  }

  /** In walking order; null where nothing was kept. What was never called is missing. */
  inOrder(): (readonly [MethodNode, Calls | null])[] {
    return [...this.calls].sort(([left], [right]) => left.position - right.position);
  }
}

/** As much as it takes at most. */
const bytesOf = ({ header, body }: Side): number =>
  Object.entries(header).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    body.length,
  ) * 2;
