import { Unavailable } from './errors/errors';

/** Smaller inputs are not counted: JSON of this size becomes 2 MB at most (`npm run bench inputs`). */
const SMALL_BYTES = 64 * 1024;
const RETRY_SECONDS = 5;

/** A request's share of what may be held at once; nothing until it takes some. Disposing gives it back. */
export interface InputShare extends Disposable {
  /**
   * Waits until an input of so many bytes may be read and held.
   * @throws Unavailable INPUT_QUEUE_FULL as many are waiting as may
   */
  take(bytes: number): Promise<void>;
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/**
 * Bounds the large JSON inputs that are in memory at once, from their parsing to the end of their requests: a tree takes up to 27 times
 * its bytes, and 100 MB at most. Trees must be in this process, so a process of their own cannot contain them (docs/adr/0021).
 */
export class LargeInputs {
  private held = 0;
  private readonly queue: Waiting[] = [];

  /**
   * @param capacityBytes of all at once. An input counts half of it at most: of the largest, two are held.
   * @param waiting inputs that wait; one more is refused
   */
  constructor(
    private readonly capacityBytes: number,
    private readonly waiting: number,
  ) {}

  share(): InputShare {
    let weight = 0;
    return {
      take: async (bytes) => {
        if (bytes <= SMALL_BYTES) return;
        const wanted = Math.min(bytes, this.capacityBytes / 2);
        await this.enter(wanted);
        weight += wanted;
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

  /** In the order of arrival, so that a large one is not passed by small ones for ever. */
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

/** Bodies of signed-in users, and those that are read without a session: unauthenticated clients keep no user waiting. */
export interface LargeBodies {
  readonly signedIn: LargeInputs;
  readonly open: LargeInputs;
}

const SIGNED_IN_BYTES = 8 * 1024 * 1024;
const WAITING = 10;

export const createLargeBodies = ({
  signedInBytes = SIGNED_IN_BYTES,
  waiting = WAITING,
}: { signedInBytes?: number; waiting?: number } = {}): LargeBodies => ({
  signedIn: new LargeInputs(signedInBytes, waiting),
  open: new LargeInputs(signedInBytes / 2, waiting),
});
