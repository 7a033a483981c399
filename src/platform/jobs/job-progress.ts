import type { Model } from 'mongoose';
import type { EventBus } from '../events/bus';
import { jobTopic } from './job-ends';
import type { JobRecord } from './job.model';

const LONGEST_MESSAGE = 200;
/** The last hundredth is the end itself. */
const MOST = 99;

/** Writes how far a job is; as often as it gets further by a hundredth, and no more often however often it says so. */
export function createProgress(jobs: Model<JobRecord>, bus: EventBus, id: number) {
  let written = 0;
  return async (percent: number, message?: string): Promise<void> => {
    const reached = Math.min(MOST, Math.floor(percent));
    if (!(reached > written)) return;
    written = reached;
    const set = { percent: reached, ...(message !== undefined && { message: message.slice(0, LONGEST_MESSAGE).toWellFormed() }) };
    const { matchedCount } = await jobs.updateOne({ _id: id, state: 'RUNNING' }, { $set: set });
    if (matchedCount > 0) bus.publish(jobTopic(id), {});
  };
}
