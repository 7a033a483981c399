import type { Writable } from 'node:stream';

let held: Writable[] = [];

function release(): void {
  const streams = held;
  held = [];
  for (const stream of streams) stream.uncork();
}

/**
 * What is written to the stream in this turn of the event loop leaves at its end, with what others hold until then. Of many clients that come at once, a
 * single write each in between wakes a client who has gone to sleep meanwhile, which takes the kernel as long as the write itself.
 */
export function leaveTogether(stream: Writable): void {
  if (held.length === 0) setImmediate(release);
  held.push(stream);
  stream.cork();
}
