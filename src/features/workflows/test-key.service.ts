const SAVED = /^workflow (\d+)$/;

/** What the test of a saved workflow is known by, and its log: one at a time, whoever starts it. */
export const testKeyOf = (workflowId: number): string => `workflow ${workflowId}`;

/** The saved workflow that such a key names; null for what is not saved. */
export function workflowOfKey(key: string): number | null {
  const [, workflowId] = SAVED.exec(key) ?? [];
  return workflowId === undefined ? null : Number(workflowId);
}
