import { waitForJob } from '../api/jobs';
import type { Job } from '../api/jobs';
import { Rejected } from '../parts/form';

/**
 * Waits for a job that imports a file, and returns what it imported.
 * @param field name of the field with the file, for the reasons
 * @throws Rejected with all reasons if nothing was imported
 */
export async function waitForImport<Item>(
  jobId: string,
  field: string,
  onProgress: (job: Job) => void,
): Promise<readonly Item[]> {
  const { state, result, error } = await waitForJob(jobId, onProgress);
  if (state === 'SUCCEEDED') return result as readonly Item[];
  const messages = error?.problems.map(({ message }) => message) ?? [];
  throw new Rejected(
    (messages.length > 0 ? messages : [error?.message ?? 'The import was cancelled.']).map(
      (message) => ({ message, path: [field] }),
    ),
  );
}
