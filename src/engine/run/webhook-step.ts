import { EngineError } from '../errors';
import type { StepExecutor } from './step-executor';

/** Starts the schedule of another workflow by its webhook. There are no schedules yet, so there is none that could be meant. */
export const executeWebhook: StepExecutor = () => Promise.reject(new EngineError('WEBHOOK_NOT_FOUND', 'There is no webhook at the address of the step.'));
