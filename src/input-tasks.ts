import { invokerTasks } from './features/invokers/invoker-tasks';
import { maskTasks } from './features/runs/execution/ruled-events';
import { previewTasks } from './features/runs/samples/preview-tasks';
import { templateTasks } from './features/templates/template-tasks';
import type { ContainedPool } from './platform/contained/contained-pool';

/**
 * Tasks on inputs that can expand to much more memory than their size. They run in child processes
 * (docs/adr/0013).
 */
export const inputTasks = { ...invokerTasks, ...templateTasks, ...maskTasks, ...previewTasks };

export type InputTasks = typeof inputTasks;

declare module './feature' {
  interface Foundation {
    readonly contained: ContainedPool<InputTasks>;
  }
}
