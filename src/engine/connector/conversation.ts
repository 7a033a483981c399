import { EngineError } from '../errors';
import type { OutboundResponse } from '../ports';
import { FieldValues } from './field-values';
import type { InvokerFacts, Operation } from './invoker-facts';
import { prepared } from './operation-request';
import type { PreparedCall } from './operation-request';
import { RemoteAnswer, ValueNotComputed } from './remote-answer';
import type { Value } from '../value';

/**
 * An operation that computes a value got 401: the system is reachable, the credentials are wrong.
 */
export class RemoteUnauthorized extends Error {
  constructor(
    readonly operation: string,
    readonly answer: RemoteAnswer,
  ) {
    super();
  }
}

/** What a call of an operation contains. */
export interface CallContent {
  readonly operation: string;
  /** The body before it was written in its format. */
  readonly sent: Value;
  /** The fields that it contains, with their values. */
  readonly fields: ReadonlyMap<string, string>;
}

type SendCall = (call: PreparedCall, content: CallContent) => Promise<OutboundResponse>;

/**
 * Calls one remote system with one set of credentials. An operation that computes values runs once,
 * no matter how many fields use it.
 */
export class Conversation {
  private readonly values: FieldValues;
  private readonly answers = new Map<string, Promise<RemoteAnswer>>();

  constructor(
    private readonly invoker: InvokerFacts,
    entered: Readonly<Record<string, string>>,
    private readonly send: SendCall,
  ) {
    this.values = new FieldValues(invoker, entered, (name, chain) => this.answerOf(name, chain));
  }

  /**
   * Returns the value of a field, or undefined if the field does not exist.
   * @throws EngineError CREDENTIALS_NOT_COMPUTED; RemoteUnauthorized; errors of sending
   */
  valueOf(name: string): Promise<string | undefined> {
    return this.values.valueOf(name);
  }

  /**
   * Discards computed values, so that they are requested again; false if no operation computes it.
   */
  renew(name: string): boolean {
    if (!this.values.isComputed(name)) return false;
    this.answers.clear();
    this.values.forget();
    return true;
  }

  /**
   * Calls an operation.
   * @param change modifies the prepared call
   * @throws EngineError CREDENTIALS_NOT_COMPUTED; RemoteUnauthorized; errors of sending
   */
  async perform(
    operation: Operation,
    change: (call: PreparedCall) => PreparedCall = (call) => call,
    chain: readonly string[] = [],
  ): Promise<RemoteAnswer> {
    const fields = new Map<string, string>();
    const { call, sent } = await prepared(operation, this.invoker.name, async (name) => {
      const value = await this.values.valueOf(name, chain);
      fields.set(name, value ?? '');
      return value;
    });
    const content = { operation: operation.name, sent, fields };
    return new RemoteAnswer(await this.send(change(call), content));
  }

  private answerOf(name: string, chain: readonly string[]): Promise<RemoteAnswer> {
    const cached = this.answers.get(name);
    if (cached) return cached;
    const operation = this.invoker.operations.find((each) => each.name === name);
    if (!operation)
      throw new EngineError(
        'CREDENTIALS_NOT_COMPUTED',
        `The invoker has no operation ${name.slice(0, 100)}, from which a field takes its value.`,
      );
    const answer = this.perform(operation, undefined, chain).then((read) => {
      if (read.status === 401) throw new RemoteUnauthorized(name, read);
      if (!read.isSuccess)
        throw new ValueNotComputed(
          `The remote system answers ${read.status} to the operation ${name.slice(0, 100)}.`,
          read,
        );
      return read;
    });
    // Share only completed responses: waiting for a pending one could be a cycle of dependencies.
    answer.then(
      () => this.answers.set(name, answer),
      () => undefined,
    );
    return answer;
  }
}
