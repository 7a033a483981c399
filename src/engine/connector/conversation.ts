import { EngineError } from '../errors';
import type { OutboundResponse } from '../ports';
import { FieldValues } from './field-values';
import type { InvokerFacts, Operation } from './invoker-facts';
import { prepared } from './operation-request';
import type { PreparedCall } from './operation-request';
import { RemoteAnswer } from './remote-answer';

/** The remote system answered 401 to an operation that computes a value: it was reached, and the credentials are not right. */
export class RemoteUnauthorized extends Error {}

/** Makes a call of an operation, which carries the values of these fields. */
export type SendCall = (
  call: PreparedCall,
  fields: ReadonlySet<string>,
) => Promise<OutboundResponse>;

/** Speaks to one remote system with one set of credentials. An operation that computes values is run once, however many values come from it. */
export class Conversation {
  private readonly values: FieldValues;
  private readonly answers = new Map<string, Promise<RemoteAnswer>>();

  constructor(
    private readonly invoker: InvokerFacts,
    given: Readonly<Record<string, string>>,
    private readonly send: SendCall,
  ) {
    this.values = new FieldValues(invoker, given, (name, chain) => this.answerOf(name, chain));
  }

  /**
   * The value of a field; undefined: there is no such field.
   * @throws EngineError CREDENTIALS_NOT_COMPUTED; RemoteUnauthorized; what sending throws
   */
  valueOf(name: string): Promise<string | undefined> {
    return this.values.valueOf(name);
  }

  /** Forgets what operations answered, so that it is asked for again. Returns false if the field is computed by no operation. */
  renew(name: string): boolean {
    if (!this.values.isComputed(name)) return false;
    this.answers.clear();
    this.values.forget();
    return true;
  }

  /**
   * Makes the call of an operation.
   * @param change what is sent instead of what the invoker says
   * @throws EngineError CREDENTIALS_NOT_COMPUTED; RemoteUnauthorized; what sending throws
   */
  async perform(
    operation: Operation,
    change: (call: PreparedCall) => PreparedCall = (call) => call,
    chain: readonly string[] = [],
  ): Promise<RemoteAnswer> {
    const fields = new Set<string>();
    const call = await prepared(operation, this.invoker.name, (name) => {
      fields.add(name);
      return this.values.valueOf(name, chain);
    });
    return new RemoteAnswer(await this.send(change(call), fields));
  }

  private answerOf(name: string, chain: readonly string[]): Promise<RemoteAnswer> {
    const known = this.answers.get(name);
    if (known) return known;
    const operation = this.invoker.operations.find((each) => each.name === name);
    if (!operation)
      throw new EngineError(
        'CREDENTIALS_NOT_COMPUTED',
        `The invoker has no operation ${name.slice(0, 100)}, from which a field takes its value.`,
      );
    const answer = this.perform(operation, undefined, chain).then((read) => {
      if (read.status === 401) throw new RemoteUnauthorized();
      if (!read.isSuccess)
        throw new EngineError(
          'CREDENTIALS_NOT_COMPUTED',
          `The remote system answers ${read.status} to the operation ${name.slice(0, 100)}.`,
        );
      return read;
    });
    // Only what has come can be asked for again: whoever waits for it in its own chain is told so.
    answer.then(
      () => this.answers.set(name, answer),
      () => undefined,
    );
    return answer;
  }
}
