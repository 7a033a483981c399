/** Why a directory server gave no usable answer. */
type LdapFailureReason =
  | 'ADDRESS_REFUSED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'BAD_ANSWER'
  | 'RESULT';

/** A failed conversation with a directory server. The message names the server and the cause. */
export class LdapFailure extends Error {
  constructor(
    readonly reason: LdapFailureReason,
    message: string,
    /** The LDAP result code, if the server answered with one. */
    readonly resultCode: number | null = null,
  ) {
    super(message);
    this.name = 'LdapFailure';
  }
}

/** Names of result codes (RFC 4511, section 4.1.9) that directories answer with. */
const RESULT_NAMES: Readonly<Record<number, string>> = {
  1: 'operationsError',
  2: 'protocolError',
  3: 'timeLimitExceeded',
  4: 'sizeLimitExceeded',
  7: 'authMethodNotSupported',
  8: 'strongerAuthRequired',
  10: 'referral',
  11: 'adminLimitExceeded',
  13: 'confidentialityRequired',
  16: 'noSuchAttribute',
  18: 'inappropriateMatching',
  19: 'constraintViolation',
  21: 'invalidAttributeSyntax',
  32: 'noSuchObject',
  34: 'invalidDNSyntax',
  48: 'inappropriateAuthentication',
  49: 'invalidCredentials',
  50: 'insufficientAccessRights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwillingToPerform',
  54: 'loopDetect',
  80: 'other',
};

/** Result codes of bind and search that callers treat in their own way. */
export const LDAP_RESULT = {
  success: 0,
  sizeLimitExceeded: 4,
  referral: 10,
  noSuchObject: 32,
} as const;

/** Results of a bind that mean that this account cannot sign in with this password. */
export const REFUSED_BIND: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53]);

const MAX_DIAGNOSTIC_LENGTH = 200;

/** Describes a result for an operator: `invalidCredentials (49): data 52e`. */
export function describeResult(code: number, diagnostic: string): string {
  const text = diagnostic
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_DIAGNOSTIC_LENGTH)
    .toWellFormed();
  return `${RESULT_NAMES[code] ?? 'result'} (${code})${text === '' ? '' : `: ${text}`}`;
}
