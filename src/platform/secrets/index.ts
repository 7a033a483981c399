/** Defines what is secret (names, headers, named secrets) and masks it. No imports from outside. */
export {
  HARMLESS_NAMES,
  HARMLESS_WORDS,
  isSecretField,
  isSecretName,
  isSecretParameter,
  PARAMETER_NAMES,
  SECRET_NAMES,
} from './secret-name';
export { HARMLESS_HEADERS, isHarmlessHeader } from './secret-name';
export { cutText, isMaskable, MASK, maskTree, maskTreeInTurns } from './mask-tree';
export type { TreeRules } from './mask-tree';
export { endOfReference, isOnlyReferences } from './references';
export { SECRET_NAME, secretKey, secretMarkAt, usesSecret } from './named-secret';
export type { NamedSecret, SecretMark } from './named-secret';
export { secretsIn, secretsNamedIn } from './named-secret';
export { marked, markOf } from './references';
export { maskPath, WEBHOOK_CALLS, webhookTokenIn, webhookTokensIn } from './mask-tree';
export { LONGEST_ORIGIN, mayGoTo, normalOrigin, takesOrigin } from './references';
export { schemeOf } from './references';
export { namedValues, quotedTexts } from './named-values';
export { textsInXml } from './named-values';
