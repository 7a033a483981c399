import { mayGoTo, secretKey } from '../../platform/secrets';
import type { NamedSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import { withSecrets } from '../reference/scope';
import type { Scope } from '../reference/scope';
import { secretsAmong, sourcesOf } from '../text/template';
import type { Template } from '../text/template';
import { headerValue } from './headers';
import { renderUrl } from './url';

/** The named secrets that one request uses. */
export interface SecretsOfRequest {
  readonly used: readonly NamedSecret[];
  readonly valueOf: (name: string) => string;
}

/** @throws EngineError SECRET_NOT_FOUND */
export function secretsFor(
  names: readonly string[],
  known: ReadonlyMap<string, NamedSecret>,
): SecretsOfRequest {
  const find = (name: string): NamedSecret => {
    const secret = known.get(secretKey(name));
    if (secret === undefined)
      throw new EngineError(
        'SECRET_NOT_FOUND',
        `There is no secret called ${JSON.stringify(name.slice(0, 100))}.`,
      );
    return secret;
  };
  return { used: [...new Set(names.map(find))], valueOf: (name) => find(name).value };
}

/**
 * Lets pass what goes to the origins of all its secrets, in places that are theirs. A URL that cannot be read is called by nobody.
 * @throws EngineError SECRET_NOT_ALLOWED_HERE, SECRET_ORIGIN_REFUSED
 */
export function requireAllowed(
  used: readonly NamedSecret[],
  template: Template,
  url: string,
  headers: Readonly<Record<string, string>>,
  scope: Scope,
): void {
  if (used.length === 0) return;
  if (secretsAmong(sourcesOf(template)).length > 0 && !isHostFixed(template, url, scope)) {
    throw new EngineError(
      'SECRET_NOT_ALLOWED_HERE',
      'A secret would become part of the host: it may stand behind it, in a header or in the body.',
    );
  }
  for (const target of targetsOf(url, headerValue(headers, 'host'))) {
    if (target === NOWHERE)
      throw new EngineError(
        'SECRET_ORIGIN_REFUSED',
        'A request that carries a secret has a Host header that names no host.',
      );
    const secret = used.find(({ origins }) => !mayGoTo(origins, target));
    if (secret !== undefined)
      throw new EngineError(
        'SECRET_ORIGIN_REFUSED',
        `The secret ${secret.name} may not be sent to ${target.origin}.`,
      );
  }
}

/** Does the call go to the same place whatever the secrets are? Asked of the URL as it is read when it is called, so no notation gets by. */
function isHostFixed(template: Template, url: string, scope: Scope): boolean {
  const origins = [
    url,
    ...['a', 'b'].map((value) =>
      renderUrl(
        template,
        withSecrets(scope, () => value),
      ),
    ),
  ].map((text) => (URL.canParse(text) ? new URL(text).origin : null));
  return origins[0] !== null && origins.every((origin) => origin === origins[0]);
}

/** Stands for a `Host` header that names no host. It is no origin of any secret. */
const NOWHERE = new URL('about:blank');

/** Where the call goes, and where its `Host` header says it goes: servers of many hosts choose by that one. */
export function targetsOf(url: string, host: string | undefined): URL[] {
  if (!URL.canParse(url)) return [];
  const target = new URL(url);
  if (host === undefined) return [target];
  const named = `${target.protocol}//${host}`;
  return [target, URL.canParse(named) ? new URL(named) : NOWHERE];
}
