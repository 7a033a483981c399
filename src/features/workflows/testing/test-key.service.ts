import { TEST_PREFIX, testTitle } from '../document/title';

const SAVED = /^workflow (\d+)$/;

/** The key of a test of a saved workflow, and of its log. Only one test per key runs at a time. */
export const testKeyOf = (workflowId: number): string => `workflow ${workflowId}`;

/** The saved workflow of a test key; null if the key is not that of a saved workflow. */
export function workflowOfKey(key: string): number | null {
  const [, workflowId] = SAVED.exec(key) ?? [];
  return workflowId === undefined ? null : Number(workflowId);
}

/**
 * The schedule title of a test, also of a saved workflow. Clients recognise it and hide the
 * schedule.
 */
export const titleOfTestSchedule = (title: string, now: Date): string =>
  testTitle(title, now).replace(TEST_PREFIX, '!*test_schedule_');
