import { EngineError } from '../../../engine';
import { Conversation as Spoken } from '../../../engine/connector/conversation';
import type { PreparedCall } from '../../../engine/connector/operation-request';
import type { RemoteAnswer } from '../../../engine/connector/remote-answer';
import { headerValue } from '../../../engine/request/headers';
import { targetsOf } from '../../../engine/request/secret-use';
import { OutboundError } from '../../../platform/outbound';
import type { Outbound, OutboundResponse } from '../../../platform/outbound';
import type { InvokerFacts, Operation } from '../connector.ports';
import type { Values } from '../connector.rules';
import { CommunicationFailed } from './communication';

/** Settings for calls to a remote system. */
export interface Dialogue {
  readonly invoker: InvokerFacts;
  readonly values: Values;
  /** True disables certificate validation. */
  readonly sslCert: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Maximum bytes of one response. */
  readonly maxAnswerBytes: number;
  /** Returns whether the values of these fields may be sent to this origin. */
  readonly maySend: (fields: ReadonlySet<string>, origin: string) => boolean;
}

/** Maximum number of calls that computing the values of one conversation may take. */
const MOST_CALLS = 10;

/**
 * Calls a remote system, including the calls that compute values. Credentials go only to the origin
 * that the invoker's operation names: a redirect to another one ends the conversation.
 */
export class Conversation {
  private readonly spoken: Spoken;
  private calls = 0;

  constructor(
    private readonly outbound: Outbound,
    private readonly dialogue: Dialogue,
  ) {
    this.spoken = new Spoken(dialogue.invoker, dialogue.values, (call, fields) =>
      this.send(call, fields),
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
      return await this.spoken.perform(operation, change);
    } catch (error) {
      throw error instanceof EngineError ? new CommunicationFailed(error.message) : error;
    }
  }

  private async send(call: PreparedCall, fields: ReadonlySet<string>): Promise<OutboundResponse> {
    this.calls += 1;
    if (this.calls > MOST_CALLS)
      throw new CommunicationFailed(`More than ${MOST_CALLS} operations would have to be run.`);
    const { sslCert, timeoutMs, signal, maxAnswerBytes, maySend } = this.dialogue;
    const home = originOf(call.url);
    for (const { origin } of targetsOf(call.url, headerValue(call.headers, 'host'))) {
      if (!maySend(fields, origin))
        throw new CommunicationFailed(
          `A stored value may not be sent to ${origin}: it was entered for another origin.`,
        );
    }
    try {
      return await this.outbound.send(
        {
          ...call,
          timeoutMs,
          verifyTls: !sslCert,
          maxResponseBytes: maxAnswerBytes,
          allowRedirect: (to) => isHome(home, to),
        },
        signal,
      );
    } catch (error) {
      if (error instanceof OutboundError)
        throw new CommunicationFailed(`${error.message} (${error.code})`);
      if (signal.aborted)
        throw new CommunicationFailed(
          `The remote system did not answer within ${timeoutMs} ms. (OUTBOUND_TIMEOUT)`,
        );
      throw error;
    }
  }
}

function originOf(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** Returns whether `to` is the same origin, or the same host over TLS. */
const isHome = (home: URL | null, to: URL): boolean =>
  home !== null &&
  (home.origin === to.origin ||
    (home.protocol === 'http:' &&
      to.protocol === 'https:' &&
      home.hostname === to.hostname &&
      home.port === '' &&
      to.port === ''));
