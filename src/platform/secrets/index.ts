/** The one definition of what is secret: names, headers, and how values under secret names are hidden. Imports nothing of the rest. */
export { HARMLESS_NAMES, HARMLESS_WORDS, isSecretName, isSecretParameter, SECRET_NAMES } from './secret-name';
export { HARMLESS_HEADERS, isHarmlessHeader } from './harmless-headers';
export { cutText, isMaskable, MASK, maskTree, maskTreeInTurns } from './mask-tree';
export type { TreeRules } from './mask-tree';
export { endOfReference, isOnlyReferences } from './references';
