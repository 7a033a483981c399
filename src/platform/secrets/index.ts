/** Defines which names, headers, references and values are secret. */
export {
  LONGEST_ORIGIN,
  mayGoTo,
  normalOrigin,
  SECRET_NAME,
  secretKey,
  secretMarkAt,
  secretsIn,
  secretsNamedIn,
  takesOrigin,
  usesSecret,
} from './named-secret';
export type { NamedSecret } from './named-secret';
export { CREDENTIAL_SCHEMES, endOfReference, isOnlyReferences, schemeOf } from './references';
export {
  HARMLESS_HEADERS,
  HARMLESS_NAMES,
  HARMLESS_WORDS,
  isHarmlessHeader,
  isSecretField,
  isSecretName,
  isSecretParameter,
  PARAMETER_NAMES,
  SECRET_NAMES,
} from './secret-name';
export { decodedSegment, WEBHOOK_CALLS, webhookTokenIn, webhookTokensIn } from './webhook-token';
