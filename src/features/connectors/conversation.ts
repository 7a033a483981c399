import { EngineError, suspensionMessage } from '../../engine';
import type { InvokerFacts, Operation } from '../../engine';
import { Conversation as EngineConversation } from '../../engine/connector/conversation';
import type { PreparedCall } from '../../engine/connector/operation-request';
import type { RemoteAnswer } from '../../engine/connector/remote-answer';
import { headerValue } from '../../engine/request/headers';
import { targetsOf } from '../../engine/request/secret-use';
import { TimeBudget } from '../../engine/run/time-budget';
import { Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { OutboundError } from '../../platform/outbound';
import type { Outbound, OutboundResponse } from '../../platform/outbound';
import type { Values } from './connector.rules';
import type { Suspended } from './credentials/consent';

/**
 * The call to a remote system failed. The message may name hosts, fields and statuses, but never
 * values or parts of a response.
 */
export class CommunicationFailed extends Refused {
  constructor(reason: string) {
    super('COMMUNICATION_FAILED', reason);
  }
}

export const confirmationNeeded = (
  title: string,
  suspended: readonly Suspended[],
  path: InputPath,
): Refused => {
  const names = suspended.map(({ name }) => name);
  return new Refused('CREDENTIALS_NEED_CONFIRMATION', suspensionMessage(title, names), { path });
};

/** How to reach remote systems. */
export interface Remote {
  readonly outbound: Outbound;
  /** Timeout for connectors without their own, ms. */
  readonly timeoutMs: number;
}

/** Settings for calls to a remote system. */
export interface Dialogue {
  readonly invoker: InvokerFacts;
  readonly values: Values;
  /** True disables certificate validation. */
  readonly sslCert: boolean;
  /** Timeout of the calls of the conversation together, ms; 0: the configured one. */
  readonly timeout: number;
  /** Maximum bytes of one response. */
  readonly maxAnswerBytes: number;
  /** Returns whether the values of these fields may be sent to this origin. */
  readonly canSend: (fields: ReadonlySet<string>, origin: string) => boolean;
}

/** Maximum duration of a conversation, ms. */
const MAX_CALL_MS = 60_000;
/** Maximum number of calls that computing the values of one conversation may take. */
const MAX_CALLS = 10;

/**
 * Calls a remote system, including the calls that compute values. Credentials go only to the origin
 * that the invoker's operation names: a redirect to another one ends the conversation.
 */
export class Conversation {
  private readonly conversation: EngineConversation;
  private readonly time: TimeBudget;
  private readonly signal = AbortSignal.timeout(MAX_CALL_MS);
  private calls = 0;

  constructor(
    private readonly remote: Remote,
    private readonly dialogue: Dialogue,
  ) {
    this.time = timeOf(dialogue, remote);
    this.conversation = new EngineConversation(
      dialogue.invoker,
      dialogue.values,
      (call, { fields }) => this.send(call, new Set(fields.keys())),
    );
  }

  /**
   * Calls an operation.
   * @param change replaces parts of the prepared call
   * @throws CommunicationFailed if there is no response or a value cannot be computed
   * @throws RemoteUnauthorized if an operation that computes a value returns 401
   */
  async perform(
    operation: Operation,
    change?: (call: PreparedCall) => PreparedCall,
  ): Promise<RemoteAnswer> {
    try {
      return await this.conversation.perform(operation, change);
    } catch (error) {
      throw error instanceof EngineError ? new CommunicationFailed(error.message) : error;
    }
  }

  private async send(call: PreparedCall, fields: ReadonlySet<string>): Promise<OutboundResponse> {
    this.calls += 1;
    if (this.calls > MAX_CALLS)
      throw new CommunicationFailed(`More than ${MAX_CALLS} operations would have to be run.`);
    const { sslCert, maxAnswerBytes, canSend } = this.dialogue;
    const { time, signal } = this;
    for (const { origin } of targetsOf(call.url, headerValue(call.headers, 'host'))) {
      if (!canSend(fields, origin))
        throw new CommunicationFailed(
          `A stored value may not be sent to ${origin}: it was entered for another origin.`,
        );
    }
    const url = URL.canParse(call.url) ? new URL(call.url) : null;
    try {
      return await this.remote.outbound.send(
        {
          ...call,
          ...time.timing,
          verifyTls: !sslCert,
          maxResponseBytes: maxAnswerBytes,
          allowRedirect: (to) => url !== null && isSameSystem(url, to),
        },
        signal,
      );
    } catch (error) {
      if (error instanceof OutboundError)
        throw new CommunicationFailed(`${error.message} (${error.code})`);
      if (signal.aborted)
        throw new CommunicationFailed(
          `The remote system did not answer within ${MAX_CALL_MS} ms. (OUTBOUND_TIMEOUT)`,
        );
      throw error;
    }
  }
}

/** The time of all calls of a conversation together. */
function timeOf({ timeout }: Dialogue, remote: Remote): TimeBudget {
  const limitMs = timeout || remote.timeoutMs;
  if (limitMs > MAX_CALL_MS) return new TimeBudget(MAX_CALL_MS, 'the limit of a check');
  return new TimeBudget(
    limitMs,
    timeout ? 'the timeout of the connector' : 'the setting outbound.timeout',
  );
}

/** Returns whether `to` is the same origin, or the same host over TLS. */
const isSameSystem = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === '');
