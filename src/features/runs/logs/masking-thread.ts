import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import type { MaskSettings, MaskTask } from './mask-messages';

const PROGRAM = join(__dirname, 'mask-worker.js');
/** Texts are at most as large as events are. */
const RESOURCES = { maxOldGenerationSizeMb: 512 };

/** Hides what rules select in copies of logs, beside everything else this process does. One asks at a time. */
export class MaskingThread implements Disposable {
  private readonly worker: Worker;

  /** @param program the compiled thread, where it is not beside this file */
  constructor(rules: readonly MaskingRule[], program = PROGRAM) {
    const workerData: MaskSettings = { rules };
    this.worker = new Worker(program, { workerData, env: {}, execArgv: [], argv: [], stdin: false, resourceLimits: RESOURCES });
    // Whoever waits hears of it; nobody else has to.
    this.worker.on('error', () => undefined);
  }

  /**
   * The texts with what the rules select hidden, in order.
   * @throws the reason of the signal, and what ended the thread
   */
  async hide(kind: MaskTask['kind'], texts: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    const answered = once(this.worker, 'message', { signal });
    this.worker.postMessage({ kind, texts } satisfies MaskTask);
    try {
      const [hidden] = await answered as [readonly string[]];
      return hidden;
    } catch (error) {
      // Node has an error of its own for what a signal ends.
      signal.throwIfAborted();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    void this.worker.terminate();
  }
}
