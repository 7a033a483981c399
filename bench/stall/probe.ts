/*
 * Runs inside the service process (`--require`): tells the longest time in which its event loop did nothing else, and its memory, to whoever
 * started it. Time in which the machine gave the processor to somebody else does not count: of each gap no more than what the process used.
 */
let longest = 0;
let last = performance.now();
let used = process.cpuUsage();
let watching = false;

function look(): void {
  const now = performance.now();
  const { user, system } = process.cpuUsage(used);
  longest = Math.max(longest, Math.min(now - last, (user + system) / 1_000));
  last = now;
  used = process.cpuUsage();
  if (watching) setImmediate(look);
}

process.on('message', (question: 'start' | 'stop' | 'memory') => {
  if (question === 'start') {
    longest = 0;
    last = performance.now();
    used = process.cpuUsage();
    watching = true;
    setImmediate(look);
    process.send?.(0);
  } else if (question === 'stop') {
    look();
    watching = false;
    process.send?.(longest);
  } else {
    globalThis.gc?.();
    globalThis.gc?.();
    process.send?.(process.memoryUsage().rss);
  }
});
process.channel?.unref();
