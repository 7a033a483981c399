import { MASK } from '../../platform/redaction';
import { isSecretParameter, mayGoTo } from '../../platform/secrets';
import type { NamedSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import type { CookieStore, HttpPort } from '../ports';
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
import type { InvokerFacts, RunConnector } from './invoker-facts';

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
    given: readonly GivenSource[],
    parameterOf: (name: string) => Value,
    time: TimeBudget,
  ): Promise<RequestCredentials> {
    this.timing = time.ownTiming;
    const before = this.computingCalls;
    const values = new Map<string, string>();
    const used: NamedSecret[] = [];
    for (const { connectorId, name } of given) {
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

  /**
   * Discards the computed values among these; returns false if no operation computes any of them.
   */
  renew(given: readonly GivenSource[]): boolean {
    const renewed = given.map(({ connectorId, name }) =>
      connectorId === null ? false : (this.conversations.get(connectorId)?.renew(name) ?? false),
    );
    return renewed.includes(true);
  }

  /** Cookie store of a connector for this run; undefined if it keeps no cookies. */
  cookiesOf({ id, keepsCookies = false }: RunConnector): CookieStore | undefined {
    if (!keepsCookies) return undefined;
    const known = this.cookies.get(id) ?? this.surroundings.http.createCookies?.();
    this.cookies.set(id, known);
    return known;
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
      throw error instanceof RemoteUnauthorized
        ? new EngineError(
            'CREDENTIALS_NOT_COMPUTED',
            'The remote system answers 401 to an operation that computes a value of the connector.',
          )
        : error;
    }
  }

  private conversationWith(connector: RunConnector): Conversation {
    const { id, invoker, values, verifyTls, origins, fieldOrigins } = connector;
    const known = this.conversations.get(id);
    if (known !== undefined) return known;
    const cookies = this.cookiesOf(connector);
    const { http, signal } = this.surroundings;
    const facts = invoker ?? { name: '', requiredData: [], operations: [], pagination: [] };
    const conversation = new Conversation(facts, values, (call, fields) => {
      const carried = [...fields].flatMap((name) =>
        isHidden(invoker, name) ? [fieldOrigins[name] ?? []] : [],
      );
      const mayCall = (url: URL): boolean =>
        [origins, ...carried].every((allowed) => mayGoTo(allowed, url));
      if (
        !URL.canParse(call.url) ||
        !targetsOf(call.url, headerValue(call.headers, 'host')).every(mayCall)
      )
        throw new EngineError(
          'SECRET_ORIGIN_REFUSED',
          'An operation that computes a value of the connector leads to an origin that its values may not be sent to.',
        );
      this.computingCalls += 1;
      return http.send(
        {
          ...call,
          verifyTls,
          ...(cookies && { cookies }),
          // Each has the whole time: a slow login takes nothing from the call that needs it.
          ...this.timing,
          allowRedirect: mayCall,
        },
        signal,
      );
    });
    this.conversations.set(id, conversation);
    return conversation;
  }
}

/** Fields that are not public are hidden; all fields are if the invoker no longer exists. */
function isHidden(invoker: InvokerFacts | null, name: string): boolean {
  return invoker?.requiredData.find((field) => field.name === name)?.visibility !== 'public';
}
