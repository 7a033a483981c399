import type { MethodNode } from '../plan/plan';

/** Request or response of a call, as passed to scripts. */
export interface Side {
  /** Null for a request. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly header: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Requests and responses of one method, in order. */
export interface Calls {
  readonly requests: Side[];
  readonly responses: Side[];
}

/** Calls of methods with an aggregator, kept until the run ends; limited to `maxBytes` in total. */
export class Collected {
  /** Null: the calls of this method are not kept. */
  private readonly calls = new Map<MethodNode, (Calls & { bytes: number }) | null>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(node: MethodNode, request: Side, response: Side): void {
    const call = this.calls.get(node) ?? { requests: [], responses: [], bytes: 0 };
    if (this.calls.get(node) === null) return;
    const bytes = bytesOf(request) + bytesOf(response);
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) {
      this.bytes -= bytes + call.bytes;
      this.drop(node);
      return;
    }
    call.requests.push(request);
    call.responses.push(response);
    call.bytes += bytes;
    this.calls.set(node, call);
  }

  /** Discards the calls of a method and keeps no more of them. */
  drop(node: MethodNode): void {
    this.calls.set(node, null);
  }

  /** In walking order; null if nothing was kept. Contains only methods that were called. */
  inOrder(): (readonly [MethodNode, Calls | null])[] {
    return [...this.calls].sort(([left], [right]) => left.position - right.position);
  }
}

/** Upper bound of the memory used: two bytes per character. */
const bytesOf = ({ header, body }: Side): number =>
  Object.entries(header).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    body.length,
  ) * 2;
