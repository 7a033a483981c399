import { mayGoTo, secretKey } from '../../platform/secrets';
import type { NamedSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import { withSecrets } from '../reference/scope';
import type { Scope } from '../reference/scope';
import { secretsAmong, sourcesOf } from '../text/template';
import type { Template } from '../text/template';
import { headerValue } from './headers';
import { renderUrl } from './url';

interface SecretsOfRequest {
  readonly used: readonly NamedSecret[];
  readonly valueOf: (name: string) => string;
}

/** @throws EngineError SECRET_NOT_FOUND */
export function secretsFor(
  names: readonly string[],
  namedSecrets: ReadonlyMap<string, NamedSecret>,
): SecretsOfRequest {
  const find = (name: string): NamedSecret => {
    const secret = namedSecrets.get(secretKey(name));
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
 * Checks that all secrets may be sent to the target and are in allowed places. An invalid URL
 * passes, since it cannot be called.
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

/** Checks, on the parsed URL, that no secret can influence the host. */
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

/** Used for an invalid `Host` header; no secret allows this origin. */
const NOWHERE = new URL('about:blank');

/** Returns the target and that of the `Host` header, which selects the virtual host. */
export function targetsOf(url: string, host: string | undefined): URL[] {
  if (!URL.canParse(url)) return [];
  const target = new URL(url);
  if (host === undefined) return [target];
  const named = `${target.protocol}//${host}`;
  return [target, URL.canParse(named) ? new URL(named) : NOWHERE];
}
