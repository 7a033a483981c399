import { execute } from 'graphql';
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Config } from '../../../config/config';
import type { Authentication } from '../../access/need';
import type { Authenticate, GraphqlContext, Origin, Services } from '../../context';
import type { Logger } from '../../log/logger';
import { NEVER_FULL } from '../../store/full-disk';
import type { StorageState } from '../../store/full-disk';
import { DEFAULT_PAGE } from '../../store/lists/keyset';
import type { CancelSignal } from './cancel-signal';
import type { Caller, PreparedOperation } from './caller';
import { createGraphqlContext } from './context';
import { apiError, createErrorFormat } from './error-format';
import type { Outcome, SentError } from './error-format';
import type { OperationRequest } from './documents';
import { Plans } from '../plans/plans';
import type { PlanResult } from '../plans/plans';
import { JsonTooLarge, requireSize, writeAnswer, WrittenData } from '../plans/text';
import { SessionReader } from './session-reader';
import { TimeLimiter } from './time-limit';
import type { RunningOperation } from './time-limit';

export interface GraphqlExecutorParts {
  readonly schema: GraphQLSchema;
  readonly config: Pick<Config, 'limits' | 'graphql'>;
  readonly authenticate: Authenticate;
  readonly services: Services;
  readonly log: Logger;
  /** Default: there is always space. */
  readonly storage?: StorageState;
}

/** What an operation or event is executed with. */
interface ExecutionOptions {
  readonly origin: Origin;
  readonly authentication: Authentication;
  readonly cancelSignal: CancelSignal;
  /** The root value. */
  readonly event?: unknown;
  /** Called before the session is read again. */
  readonly onSessionRead?: () => void;
}

/** Executes prepared operations within the time limit and formats what comes of them. */
export class Execution {
  readonly timeLimiter: TimeLimiter;
  readonly sessions: SessionReader;
  readonly formatErrors: (errors: readonly Error[], requestId: string) => SentError[];
  private readonly defaultPage: number;
  /** Missing if operations are executed by graphql-js. */
  private readonly plans: Plans | undefined;

  constructor(private readonly parts: GraphqlExecutorParts) {
    const { config, authenticate, log } = parts;
    this.timeLimiter = new TimeLimiter(config.limits.operationMs);
    this.sessions = new SessionReader(authenticate);
    this.formatErrors = createErrorFormat(log);
    if (config.graphql.compiledPlans)
      this.plans = new Plans(parts.schema, config.limits.answerBytes);
    this.defaultPage = Math.min(DEFAULT_PAGE, config.limits.page);
  }

  async execute(
    prepared: PreparedOperation,
    request: OperationRequest,
    caller: Caller,
    { origin, authentication, cancelSignal, event, onSessionRead }: ExecutionOptions,
  ): Promise<Outcome> {
    const result = await this.timeLimiter.run(cancelSignal, (running) => {
      const context = this.createContext(caller, origin, authentication, running, onSessionRead);
      return this.plans
        ? this.plans.execute({
            ...prepared,
            ...prepared.settings,
            variables: request.variables,
            context,
            rootValue: event,
          })
        : execute(this.createArguments(prepared, request, context, event));
    });
    return this.write(result ?? this.createTimeoutResult(), caller.origin.requestId);
  }

  /** Writes a result, or an error in its place if it cannot be written or is too large. */
  private write({ data, errors }: ExecutionResult | PlanResult, requestId: string): Outcome {
    const { answerBytes } = this.parts.config.limits;
    try {
      const answer =
        data == null || data instanceof WrittenData
          ? data
          : new WrittenData(written(data, answerBytes), hasValues(data));
      const outcome = this.createOutcome({ data: answer, errors }, requestId);
      const envelope = writeAnswer({ ...outcome, data: NO_DATA });
      if (answer) requireSize(answer.text, answerBytes, Buffer.byteLength(envelope));
      return outcome;
    } catch (error) {
      return this.createOutcome({ errors: [error as Error] }, requestId);
    }
  }

  createArguments(
    { document, settings: { maxErrors, hideSuggestions } }: PreparedOperation,
    { operationName, variables }: OperationRequest,
    contextValue: GraphqlContext,
    rootValue?: unknown,
  ): ExecutionArgs {
    return {
      schema: this.parts.schema,
      document,
      operationName,
      variableValues: variables,
      contextValue,
      rootValue,
      hideSuggestions,
      options: { maxCoercionErrors: maxErrors },
    };
  }

  createContext(
    caller: Caller,
    origin: Origin,
    authentication: Authentication,
    running: RunningOperation,
    onSessionRead: () => void = () => undefined,
  ): GraphqlContext {
    return createGraphqlContext({
      origin,
      authentication,
      services: this.parts.services,
      running,
      defaultPage: this.defaultPage,
      readSession: () => {
        onSessionRead();
        return this.sessions.read(caller);
      },
      authenticateNow: () => this.sessions.readNow(caller),
      storage: this.parts.storage ?? NEVER_FULL,
      setHeader: caller.setHeader,
    });
  }

  createOutcome({ data, errors }: PlanResult, requestId: string): Outcome {
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors ? { errors: this.formatErrors(errors, requestId) } : {}),
    };
  }

  createTimeoutResult(): PlanResult {
    const { operationMs } = this.parts.config.limits;
    return {
      data: null,
      errors: [apiError('UNAVAILABLE', `The operation took longer than ${operationMs} ms.`)],
    };
  }

  /**
   * Returns an error if something fails before execution, such as the store while the session is
   * read.
   */
  async catchErrors<T>({ requestId }: Origin, work: () => Promise<T>): Promise<T | Outcome> {
    try {
      return await work();
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      return this.createOutcome({ errors: [error] }, requestId);
    }
  }
}

const NO_DATA = new WrittenData('', false);

const hasValues = (data: object): boolean => Object.values(data).some((value) => value !== null);

/** @throws JsonTooLarge longer than a text can be */
function written(data: object, maxBytes: number): string {
  try {
    return JSON.stringify(data);
  } catch (error) {
    throw error instanceof RangeError ? new JsonTooLarge(maxBytes) : error;
  }
}
