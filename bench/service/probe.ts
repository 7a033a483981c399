/*
 * Runs inside the service process (`--require`): reports the longest blocks of its event loop, and its memory, to the process that started it.
 */
import { LoopWatch } from '../measure/loop-watch';

const watch = new LoopWatch();

process.on('message', (question: 'start' | 'stop' | 'memory') => {
  if (question === 'start') {
    watch.start();
    process.send?.(0);
  } else if (question === 'stop') {
    process.send?.(watch.stop());
  } else {
    globalThis.gc?.();
    globalThis.gc?.();
    process.send?.(process.memoryUsage().rss);
  }
});
process.channel?.unref();
