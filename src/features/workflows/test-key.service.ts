const SAVED = /^workflow (\d+)$/;

/** The key of a test of a saved workflow, and of its log. Only one test per key runs at a time. */
export const testKeyOf = (workflowId: number): string => `workflow ${workflowId}`;

/** The saved workflow of a test key; null if the key is not that of a saved workflow. */
export function workflowOfKey(key: string): number | null {
  const [, workflowId] = SAVED.exec(key) ?? [];
  return workflowId === undefined ? null : Number(workflowId);
}
