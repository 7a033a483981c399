import { invokerTasks } from './features/invokers/invoker-tasks';
import { maskTasks } from './features/runs/logs/mask-task';
import { templateTasks } from './features/templates/template-tasks';

/** All work on inputs that may build much more than they have bytes: executed in processes of their own (docs/adr/0088). */
export const inputTasks = { ...invokerTasks, ...templateTasks, ...maskTasks };

export type InputTasks = typeof inputTasks;
