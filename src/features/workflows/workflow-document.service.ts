/**
 * For features that store workflow documents themselves, such as templates: parsing, masking and
 * packing.
 */
export { isJsonObject } from './json';
export type { JsonObject } from './json';
export { isLegacyDocument } from './conversion/legacy-document';
export { aggregatorIdsOf } from './references/document-facts';
export { idOf, namesRecord } from './references/record-id';
export { knownValuesOf } from './masking/known-values';
export { maskValue } from './masking/mask-document';
export { DocumentsTogether, packJson, partIds, unpackJson } from './versions/packed-json';
export type { PackedJson, StoredPart } from './versions/packed-json';
export { MOST_STEPS, readDocument } from './workflow.document';
export type { WorkflowDocument } from './workflow.document';
export { parseTitle, TITLE_LENGTH } from './workflow.title';
