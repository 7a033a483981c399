import type { JsonObject } from './json';
import { applyChange } from './workflow-change';
import type { WorkflowChange } from './workflow-change';

/** What somebody wants saved or tested: a whole document as it was sent, or parts of one. */
export type WorkflowContent = { readonly document: unknown } | { readonly change: WorkflowChange };

/** The document that is meant, where `base` is what stands there now: nothing of it is left under a whole document. */
export const documentMeant = (content: WorkflowContent, base: JsonObject): unknown =>
  ('document' in content ? content.document : applyChange(base, content.change));
