import type { Binding } from '../document';

/** Shows the result of a script with the samples of the steps before. */
export function ScriptResult(_props: { stepId: string; binding: Binding }) {
  return null;
}
