/*
 * Runs inside the service process (`--require`): reports the longest blocks of its event loop, its memory, and what it asked of its store, to the process that started it.
 */
import { LoopWatch } from '../measure/loop-watch';
import { countStoreWork } from './store-thread';

const watch = new LoopWatch();
const storeWork = countStoreWork();

process.on('message', (question: 'start' | 'stop' | 'memory' | 'store') => {
  if (question === 'start') {
    watch.start();
    process.send?.(0);
  } else if (question === 'stop') {
    process.send?.(watch.stop());
  } else if (question === 'store') {
    process.send?.(storeWork());
  } else {
    globalThis.gc?.();
    globalThis.gc?.();
    process.send?.(process.memoryUsage().rss);
  }
});
process.channel?.unref();
