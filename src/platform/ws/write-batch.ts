import type { Writable } from 'node:stream';

let corked: Writable[] = [];

function release(): void {
  const streams = corked;
  corked = [];
  for (const stream of streams) stream.uncork();
}

/**
 * Holds back what is written to the stream, and sends it with that of other clients at the end of
 * this event loop iteration. Separate writes to many clients wake those that have gone to sleep in
 * between, which takes the kernel as long as the write itself.
 */
export function batchWrites(stream: Writable): void {
  if (corked.length === 0) setImmediate(release);
  corked.push(stream);
  stream.cork();
}
