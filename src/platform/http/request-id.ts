import { randomUUID } from 'node:crypto';

const LENGTH = 36;
const copied = Buffer.alloc(LENGTH);

/** A new id of a request or operation: a random UUID, in one piece. As Node makes it, it is a chain of twenty pieces, ten times as large, and an open socket keeps its own for hours. */
export function newRequestId(): string {
  copied.write(randomUUID(), 'latin1');
  return copied.toString('latin1');
}
