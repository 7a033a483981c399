import { inputTasks } from './input-tasks';
import { serveTasks } from './platform/contained/serve-tasks';

/** The main program of a process that reads inputs of callers. */
serveTasks(inputTasks);
