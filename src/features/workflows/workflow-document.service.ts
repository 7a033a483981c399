/**
 * For features that store workflow documents themselves, such as templates: parsing, masking and
 * packing.
 */
export { isJsonObject } from './document/json';
export type { JsonObject } from './document/json';
export { isLegacyDocument } from './document/legacy-document';
export { aggregatorIdsOf } from './document/document-facts';
export { idOf, namesRecord } from './document/record-id';
export { partIdOf } from './document/part-ids';
export { knownValuesOf } from './masking/known-values';
export { maskDocument, maskValue } from './masking/mask-document';
export { DocumentsTogether, packJson, partIds, unpackJson } from './document/packed-json';
export type { PackedJson, StoredPart } from './document/packed-json';
export { DESCRIPTION_LENGTH, MOST_STEPS, readDocument } from './document/workflow-document';
export type { WorkflowDocument } from './document/workflow-document';
export { notedConnectors, withNotedConnectors } from './document/two-containers';
export { readStored } from './document/stored-document';
export { isTestTitle, parseTitle, TITLE_LENGTH } from './document/title';
