import { MASK } from '../../platform/redaction';
import { isSecretParameter, mayGoTo } from '../../platform/secrets';
import type { NamedSecret } from '../../platform/secrets';
import type { EngineErrorCode } from '../error-codes';
import { EngineError, failureOf } from '../errors';
import type { CookieStore, HttpPort, OutboundRequest, OutboundResponse } from '../ports';
import type { Scope } from '../reference/scope';
import type { RunSecrets } from '../secrets/run-secrets';
import { headerValue } from '../request/headers';
import { targetsOf } from '../request/secret-use';
import type { SecretDestinations } from '../secrets/secret-destinations';
import type { CallTiming, TimeBudget } from '../run/time-budget';
import type { GivenSource } from '../text/template';
import type { Value } from '../value';
import type { RunConnectors } from './connector-call';
import { Conversation, RemoteUnauthorized } from './conversation';
import type { CallContent } from './conversation';
import type { InvokerFacts, RunConnector } from './invoker-facts';
import type { PreparedCall } from './operation-request';
import { ValueNotComputed } from './remote-answer';

/** Values of connector fields for one request. */
export interface RequestCredentials {
  /** Secret values with the origins they may be sent to. */
  readonly used: readonly NamedSecret[];
  readonly valueOf: Scope['given'];
  /** The same values with secrets masked, for references. */
  readonly shownOf: Scope['given'];
  /** True if a value was computed for this request. */
  readonly isFresh: boolean;
}

/** A call that should have returned a value of a connector. */
export interface ComputingCall {
  readonly request: OutboundRequest;
  /** The body before it was written in its format. */
  readonly sent: Value;
  readonly response: OutboundResponse | null;
}

interface Surroundings {
  readonly http: HttpPort;
  readonly signal: AbortSignal;
  readonly secrets: RunSecrets;
  readonly destinations: SecretDestinations;
}

/**
 * Values of the connectors of one run. Values computed by operations (such as tokens) are cached.
 */
export class Credentials {
  private readonly conversations = new Map<number, Conversation>();
  private readonly cookies = new Map<number, CookieStore | undefined>();
  private timing: CallTiming = { timeoutMs: 0 };
  /** Number of calls made to compute values. */
  private computingCalls = 0;
  /** Calls that compute values, by their responses and by the errors that they caused. */
  private readonly calls = new WeakMap<object, ComputingCall>();

  constructor(
    private readonly connectors: RunConnectors,
    private readonly surroundings: Surroundings,
  ) {
    for (const { invoker, values, origins } of connectors.values()) {
      for (const [name, value] of Object.entries(values))
        if (isHidden(invoker, name)) this.learn({ name, value, origins });
    }
  }

  /**
   * @param parameterOf returns a page parameter
   * @throws EngineError CREDENTIALS_NOT_COMPUTED, and errors of the HTTP port
   */
  async forRequest(
    sources: readonly GivenSource[],
    parameterOf: (name: string) => Value,
    time: TimeBudget,
  ): Promise<RequestCredentials> {
    this.timing = time.ownTiming;
    const before = this.computingCalls;
    const values = new Map<string, string>();
    const used: NamedSecret[] = [];
    for (const { connectorId, name } of sources) {
      const connector = connectorId === null ? undefined : this.connectors.get(connectorId);
      if (connector === undefined) continue;
      const value = await this.valueOf(connector, name);
      values.set(`${connector.id}.${name}`, value);
      if (!isHidden(connector.invoker, name) || value === '') continue;
      const secret = { name, value, origins: connector.fieldOrigins[name] ?? [] };
      this.learn(secret);
      used.push(secret);
    }
    const valueOf = ({ connectorId, name }: GivenSource): Value =>
      connectorId === null ? parameterOf(name) : (values.get(`${connectorId}.${name}`) ?? '');
    const shownOf = (source: GivenSource): Value =>
      source.connectorId !== null &&
      isHidden(this.connectors.get(source.connectorId)?.invoker ?? null, source.name)
        ? MASK
        : valueOf(source);
    return { used, valueOf, shownOf, isFresh: this.computingCalls > before };
  }

  /** Returns the call because of which `forRequest` failed; null if it was not because of one. */
  callOf(error: unknown): ComputingCall | null {
    return (typeof error === 'object' && error && this.calls.get(error)) || null;
  }

  /**
   * Discards the computed values among these; returns false if no operation computes any of them.
   */
  renew(sources: readonly GivenSource[]): boolean {
    const renewed = sources.map(({ connectorId, name }) =>
      connectorId === null ? false : (this.conversations.get(connectorId)?.renew(name) ?? false),
    );
    return renewed.includes(true);
  }

  /** Cookie store of a connector for this run; undefined if it keeps no cookies. */
  cookiesOf({ id, keepsCookies = false }: RunConnector): CookieStore | undefined {
    if (!keepsCookies) return undefined;
    const cookies = this.cookies.get(id) ?? this.surroundings.http.createCookies?.();
    this.cookies.set(id, cookies);
    return cookies;
  }

  /**
   * Guards only secret-named fields: workflows copy others, such as user names, between systems.
   */
  private learn(secret: NamedSecret): void {
    this.surroundings.secrets.addNamed(secret.value);
    if (isSecretParameter(secret.name)) this.surroundings.destinations.add(secret);
  }

  private async valueOf(connector: RunConnector, name: string): Promise<string> {
    try {
      return (await this.conversationWith(connector).valueOf(name)) ?? '';
    } catch (error) {
      const failure =
        error instanceof RemoteUnauthorized
          ? new ValueNotComputed(
              `The remote system answers 401 to the operation ${nameOf(error)}, which computes a value of the connector.`,
              error.answer,
            )
          : error;
      if (failure instanceof ValueNotComputed) {
        const call = this.calls.get(failure.answer.response);
        if (call !== undefined) this.calls.set(failure, call);
      }
      throw failure;
    }
  }

  private conversationWith(connector: RunConnector): Conversation {
    const { id, invoker, values } = connector;
    const existing = this.conversations.get(id);
    if (existing !== undefined) return existing;
    const facts = invoker ?? { name: '', requiredData: [], operations: [], pagination: [] };
    const conversation = new Conversation(facts, values, (call, content) =>
      this.compute(connector, call, content),
    );
    this.conversations.set(id, conversation);
    return conversation;
  }

  /** Calls an operation that returns a value, and remembers the call for the case that it fails. */
  private async compute(
    connector: RunConnector,
    prepared: PreparedCall,
    { operation, sent, fields }: CallContent,
  ): Promise<OutboundResponse> {
    const { invoker, verifyTls, origins, fieldOrigins } = connector;
    const { http, signal, secrets } = this.surroundings;
    const hidden = [...fields].filter(([name]) => isHidden(invoker, name));
    for (const [, value] of hidden) if (value !== '') secrets.addNamed(value);
    const allowed = [origins, ...hidden.map(([name]) => fieldOrigins[name] ?? [])];
    const mayCall = (url: URL): boolean => allowed.every((each) => mayGoTo(each, url));
    const cookies = this.cookiesOf(connector);
    const request: OutboundRequest = {
      ...prepared,
      verifyTls,
      ...(cookies && { cookies }),
      // Each has the whole time: a slow login takes nothing from the call that needs it.
      ...this.timing,
      allowRedirect: mayCall,
    };
    try {
      if (
        !URL.canParse(request.url) ||
        !targetsOf(request.url, headerValue(request.headers, 'host')).every(mayCall)
      )
        throw new EngineError(
          'SECRET_ORIGIN_REFUSED',
          'It leads to an origin that values of the connector may not be sent to.',
        );
      this.computingCalls += 1;
      const response = await http.send(request, signal);
      this.calls.set(response, { request, sent, response });
      return response;
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code === ('RUN_FAULT' satisfies EngineErrorCode)) throw error;
      const failure = new EngineError(
        code as EngineErrorCode,
        `The operation ${nameOf({ operation })}, which computes a value of the connector: ${message}`,
      );
      failure.cause = error;
      this.calls.set(failure, { request, sent, response: null });
      throw failure;
    }
  }
}

/** Maximum characters of the name of an operation in a message. */
const MAX_NAME = 100;
const nameOf = ({ operation }: Pick<CallContent, 'operation'>): string =>
  operation.slice(0, MAX_NAME);

/** Fields that are not public are hidden; all fields are if the invoker no longer exists. */
function isHidden(invoker: InvokerFacts | null, name: string): boolean {
  return invoker?.requiredData.find((field) => field.name === name)?.visibility !== 'public';
}
