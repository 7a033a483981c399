import { Unavailable } from './errors/errors';

/** Smaller inputs do not count: JSON of this size takes 2 MB at most (`npm run bench inputs`). */
const SMALL_BYTES = 64 * 1024;
const RETRY_SECONDS = 5;
const CAPACITY_BYTES = 8 * 1024 * 1024;
const WAITING = 10;

/**
 * The memory for inputs that one request has reserved; none before `take`. Disposing releases it.
 */
export interface InputShare extends Disposable {
  /**
   * Waits until an input of this size may be read and held.
   * @throws Unavailable INPUT_QUEUE_FULL too many inputs are waiting
   */
  take(bytes: number): Promise<void>;
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/**
 * Bounds the large JSON inputs in memory, from parsing to the end of their requests: a parsed tree
 * takes up to 27 times its bytes, and 100 MB at most. The trees are needed in this process, so a
 * child process cannot contain them (docs/adr/0013).
 */
export class LargeInputs {
  private held = 0;
  private readonly queue: Waiting[] = [];

  /**
   * @param capacityBytes of all inputs together. One input counts at most half of it: two of the
   * largest fit.
   * @param waiting maximum number of waiting inputs; more are rejected
   */
  constructor(
    private readonly capacityBytes = CAPACITY_BYTES,
    private readonly waiting = WAITING,
  ) {}

  share(): InputShare {
    let weight = 0;
    return {
      take: async (bytes) => {
        if (bytes <= SMALL_BYTES) return;
        const share = Math.min(bytes, this.capacityBytes / 2);
        await this.enter(share);
        weight += share;
      },
      [Symbol.dispose]: () => {
        this.held -= weight;
        weight = 0;
        this.fill();
      },
    };
  }

  private enter(weight: number): Promise<void> {
    if (this.queue.length === 0 && this.held + weight <= this.capacityBytes) {
      this.held += weight;
      return Promise.resolve();
    }
    if (this.queue.length >= this.waiting)
      throw new Unavailable(
        'As many large inputs are waiting to be read as may. Try again.',
        RETRY_SECONDS,
        'INPUT_QUEUE_FULL',
      );
    return new Promise((start) => this.queue.push({ weight, start }));
  }

  /** In order of arrival, so that small inputs cannot keep a large one waiting for ever. */
  private fill(): void {
    for (
      let next = this.queue.at(0);
      next && this.held + next.weight <= this.capacityBytes;
      next = this.queue.at(0)
    ) {
      this.queue.shift();
      this.held += next.weight;
      next.start();
    }
  }
}
