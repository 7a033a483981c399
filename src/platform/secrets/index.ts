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
export { HARMLESS_HEADERS, isHarmlessHeader } from './harmless-headers';
export { cutText, isMaskable, MASK, maskTree, maskTreeInTurns } from './mask-tree';
export type { TreeRules } from './mask-tree';
export { endOfReference, isOnlyReferences } from './references';
export { SECRET_NAME, secretKey, secretMarkAt, usesSecret } from './named-secret';
export type { NamedSecret, SecretMark } from './named-secret';
export { secretsIn, secretsNamedIn } from './secrets-named-in';
export { marked, markOf } from './cut-mark';
export { maskPath, WEBHOOK_CALLS, webhookTokenIn, webhookTokensIn } from './secret-paths';
export { LONGEST_ORIGIN, mayGoTo, normalOrigin, takesOrigin } from './origin';
export { schemeOf } from './schemes';
export { namedValues, quotedTexts } from './named-values';
export { textsInXml } from './xml-values';
