import { executeHttpRequest } from './http-step';
import type { StepExecutor } from './step-executor';

/** One executor per method type; a type that is missing here ends the run with METHOD_TYPE_NOT_AVAILABLE. */
export const executors: ReadonlyMap<string, StepExecutor> = new Map([['HTTP_REQUEST', executeHttpRequest]]);
