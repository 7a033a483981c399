import type { WorkflowRecord } from './workflow.model';

/** What the audit keeps of a workflow: the document itself is in the version snapshot it names. */
export function recorded(record: WorkflowRecord): object {
  const { title, description, version, content, methods, operators } = record;
  return { title, description, version, snapshotId: content.id, hash: content.hash, methods, operators };
}
