import { inputTasks } from './input-tasks';
import { serveTasks } from './platform/contained/serve-tasks';

/** Main program of the process that reads inputs of callers. */
serveTasks(inputTasks);
