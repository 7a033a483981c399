import { OutboundError } from '../../../platform/outbound';
import type { Outbound, OutboundResponse } from '../../../platform/outbound';
import type { InvokerFacts, Operation } from '../connector.ports';
import type { Values } from '../connector.rules';
import { CommunicationFailed, RemoteUnauthorized } from './communication';
import { FieldValues } from './field-values';
import { prepared } from './operation-request';
import type { PreparedCall } from './operation-request';
import { RemoteAnswer } from './remote-answer';

/** How a remote system is spoken to. */
export interface Dialogue {
  readonly invoker: InvokerFacts;
  readonly values: Values;
  /** True: certificates are not validated. */
  readonly sslCert: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Bytes of one answer. */
  readonly maxAnswerBytes: number;
}

/** Operations one conversation may take to compute its values. */
const MOST_CALLS = 10;

/**
 * Speaks to one remote system with one set of credentials. They are sent to no other origin than the one the invoker's operation names: a
 * redirect away from it ends the conversation.
 */
export class Conversation {
  private readonly values: FieldValues;
  private readonly answers = new Map<string, Promise<RemoteAnswer>>();
  private calls = 0;

  constructor(private readonly outbound: Outbound, private readonly dialogue: Dialogue) {
    this.values = new FieldValues(dialogue.invoker, dialogue.values, (name, chain) => this.answerOf(name, chain));
  }

  /**
   * Makes the call of an operation.
   * @param change what is sent instead of what the invoker says
   * @throws CommunicationFailed no answer, or a value that has none
   * @throws RemoteUnauthorized  an operation that computes a value was answered with 401
   */
  async perform(operation: Operation, change: (call: PreparedCall) => PreparedCall = (call) => call, chain: readonly string[] = []): Promise<RemoteAnswer> {
    const { invoker } = this.dialogue;
    return new RemoteAnswer(await this.send(change(await prepared(operation, invoker.name, (name) => this.values.valueOf(name, chain)))));
  }

  /** Once for each operation, however many values come from it. */
  private answerOf(name: string, chain: readonly string[]): Promise<RemoteAnswer> {
    const known = this.answers.get(name);
    if (known) return known;
    const operation = this.dialogue.invoker.operations.find((each) => each.name === name);
    if (!operation) throw new CommunicationFailed(`The invoker has no operation ${name.slice(0, 100)}, from which a field takes its value.`);
    const answer = this.perform(operation, undefined, chain).then((read) => {
      if (read.status === 401) throw new RemoteUnauthorized();
      if (!read.isSuccess) throw new CommunicationFailed(`The remote system answers ${read.status} to the operation ${name.slice(0, 100)}.`);
      return read;
    });
    // Only what has come can be asked for again: whoever waits for it in its own chain is told so.
    answer.then(() => this.answers.set(name, answer), () => undefined);
    return answer;
  }

  private async send(call: PreparedCall): Promise<OutboundResponse> {
    this.calls += 1;
    if (this.calls > MOST_CALLS) throw new CommunicationFailed(`More than ${MOST_CALLS} operations would have to be run.`);
    const { sslCert, timeoutMs, signal, maxAnswerBytes } = this.dialogue;
    const home = originOf(call.url);
    try {
      return await this.outbound.send({ ...call, timeoutMs, verifyTls: !sslCert, maxResponseBytes: maxAnswerBytes, allowRedirect: (to) => isHome(home, to) }, signal);
    } catch (error) {
      if (error instanceof OutboundError) throw new CommunicationFailed(`${error.message} (${error.code})`);
      if (signal.aborted) throw new CommunicationFailed(`The remote system did not answer within ${timeoutMs} ms. (OUTBOUND_TIMEOUT)`);
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

/** The same origin, or the same host over TLS. */
const isHome = (home: URL | null, to: URL): boolean => home !== null
  && (home.origin === to.origin || (home.protocol === 'http:' && to.protocol === 'https:' && home.hostname === to.hostname && home.port === '' && to.port === ''));
