import { ID } from 'type-graphql';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';

const BindingEndInput = inputType('BindingEndInput', 'One end of a field binding.', {
  color: [optional(String), 'The colour of the method that the field belongs to.'],
  type: [optional(String), '`response`, `request`, `path` or `header`.'],
  field: [
    optional(String),
    'Path of the field in the request or response of the method: `id`, `items[*].name`.',
  ],
});
type BindingEndInput = InstanceType<typeof BindingEndInput>;

const EnhancementInput = inputType(
  'EnhancementInput',
  'The script between the ends of a field binding.',
  {
    name: [optional(String), 'Name of the script.'],
    description: [optional(String), 'Description of the script.'],
    language: [optional(String), '`js`; other values are kept.'],
    expertVar: [optional(String), 'The variables it reads and the one it sets.'],
    expertCode: [optional(String), 'The text of the script.'],
  },
);
type EnhancementInput = InstanceType<typeof EnhancementInput>;

export const FieldBindingInput = inputType(
  'FieldBindingInput',
  'Binds fields of responses to a field of a request. With the `bindingId` of an existing binding, fields that are not given keep their value.',
  {
    bindingId: [optional(ID), 'Identifies the binding within the workflow.'],
    from: [optional([BindingEndInput]), 'Sources of the values.'],
    to: [optional([BindingEndInput]), 'Target of the value.'],
    enhancement: [optional(EnhancementInput), 'Script that converts the values.'],
  },
);
