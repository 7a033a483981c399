import { OutboundError } from './outbound-error';
import type { Outbound } from './outbound';

/**
 * Result of an outgoing call: the class of its status, the code of its failure in lower case, or
 * `cancelled`.
 */
type CallOutcome = string;

/** Outgoing calls with the same outcome. */
export interface CallCount {
  readonly outcome: CallOutcome;
  readonly count: number;
  /** Total duration. */
  readonly seconds: number;
}

const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/** Returns the outcome of a response. */
function outcomeOfStatus(status: number): CallOutcome {
  if (status < FIRST_CLIENT_ERROR) return 'ok';
  return status < FIRST_SERVER_ERROR ? 'client_error' : 'server_error';
}

/** Returns the outcome of a call without a response. */
const outcomeOfError = (error: unknown): CallOutcome =>
  error instanceof OutboundError ? error.code.toLowerCase() : 'cancelled';

/** Reports the outcome of each call. */
export const observedCalls = (
  outbound: Outbound,
  onEnd: (outcome: CallOutcome, seconds: number) => void,
): Outbound => ({
  ...outbound,
  async send(request, signal) {
    const startedAt = performance.now();
    const end = (outcome: CallOutcome): void =>
      onEnd(outcome, (performance.now() - startedAt) / 1_000);
    try {
      const response = await outbound.send(request, signal);
      end(outcomeOfStatus(response.status));
      return response;
    } catch (error) {
      end(outcomeOfError(error));
      throw error;
    }
  },
});

/** Adds up calls until they are taken, to report many at once. */
export class CallTally {
  private counts = new Map<CallOutcome, { count: number; seconds: number }>();

  readonly add = (outcome: CallOutcome, seconds: number): void => {
    const total = this.counts.get(outcome);
    if (total === undefined) this.counts.set(outcome, { count: 1, seconds });
    else {
      total.count += 1;
      total.seconds += seconds;
    }
  };

  /** Returns the calls since the last time. */
  take(): CallCount[] {
    const { counts } = this;
    if (counts.size === 0) return [];
    this.counts = new Map();
    return [...counts].map(([outcome, count]) => ({ outcome, ...count }));
  }
}
