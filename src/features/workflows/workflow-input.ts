import type { WorkflowChange } from './workflow-change';
import type { WorkflowInput } from './workflow-input.types';

/**
 * The change that an input means. Documents and REST call the ids of steps and bindings `id`; in GraphQL that name is for ids that are
 * the only ones of their kind, since caches of clients go by it.
 */
export function changeOf({ methods, operators, fieldBindings, ...rest }: WorkflowInput): WorkflowChange {
  return {
    ...rest,
    methods: methods?.map(({ stepId, ...method }) => ({ id: stepId, ...method })) ?? methods,
    operators: operators?.map(({ stepId, ...operator }) => ({ id: stepId, ...operator })) ?? operators,
    fieldBindings: fieldBindings?.map(({ bindingId, ...binding }) => ({ id: bindingId, ...binding })) ?? fieldBindings,
  };
}
