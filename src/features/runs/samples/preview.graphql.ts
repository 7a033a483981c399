import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import type { PreviewKind as PreviewKindName, PreviewedValue } from '../../../engine';
import type { GraphqlContext } from '../../../platform/context';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { databaseId } from '../../../platform/graphql/schema/ids';
import { Needs } from '../../../platform/graphql/schema/needs';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import { FieldBindingInput } from '../../workflows/document/binding-input.types';
import { workflowPolicy } from '../../workflows/workflow.policy';
import { runPolicy } from '../run.policy';
import { RunErrorCode } from '../run.types';
import type { PreviewedScript } from './preview.service';

const PreviewKind = enumOf(
  {
    TEXT: 'A body field, URL or header: a reference by itself keeps the type of its value.',
    EXPRESSION: 'The expression of a condition or loop; of a loop, what it is repeated for.',
  } satisfies Record<PreviewKindName, string>,
  'PreviewKind',
  'How a text is evaluated.',
);

@ObjectType({ description: 'Why a text or script has no value.' })
class PreviewProblem {
  @Field(() => RunErrorCode, { description: 'The code with which a run would end.' })
  readonly code!: string;

  @Field(() => String, { description: 'What is wrong.' })
  readonly message!: string;

  @Field(() => Int, { nullable: true, description: 'Line in the text, from 1.' })
  readonly line!: number | null;

  @Field(() => Int, { nullable: true, description: 'Column in the line, from 1.' })
  readonly column!: number | null;
}

@ObjectType({ description: 'What a text becomes with the samples, with secrets masked.' })
class ValuePreview {
  @Field(() => JSONValue, { nullable: true, description: 'The value; null if it is too large.' })
  readonly value!: unknown;

  @Field(() => String, {
    nullable: true,
    description: 'The value as text, at most 2,000 characters; null if there is a problem.',
  })
  readonly text!: string | null;

  @Field(() => Boolean, { description: 'Whether the value has more than 16 KiB as JSON.' })
  readonly truncated!: boolean;

  @Field(() => PreviewProblem, { nullable: true, description: 'Why there is no value.' })
  readonly problem!: PreviewProblem | null;

  @Field(() => Boolean, {
    description: 'Whether a reference in it finds nothing in the samples, so that null is used.',
  })
  readonly missing!: boolean;
}

@ObjectType({ description: 'What the script of a field binding does with the samples.' })
class ScriptPreview {
  @Field(() => JSONValue, { description: 'Names of its variables, and their values.' })
  readonly inputs!: Record<string, unknown>;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Its result; of a binding without a script, the first value.',
  })
  readonly result!: unknown;

  @Field(() => PreviewProblem, { nullable: true, description: 'Why there is no result.' })
  readonly problem!: PreviewProblem | null;

  @Field(() => Float, { nullable: true, description: 'How long the script took, ms.' })
  readonly durationMs!: number | null;
}

@ArgsType()
class PreviewArgs {
  @Field(() => ID, { description: 'Global or integer id of the workflow.' })
  readonly workflowId!: string;

  @Field(() => ID, { description: 'The step to which the texts belong.' })
  readonly stepId!: string;

  @Field(() => [Int], {
    nullable: true,
    description:
      'Iterations of the loops around the step, from 0, outermost first. Default: the first.',
  })
  readonly iteration?: number[] | null;
}

@ArgsType()
class ValuePreviewArgs extends PreviewArgs {
  @Field(() => [String], {
    description: 'At most 200, with 256 KiB characters together.',
  })
  readonly texts!: string[];

  @Field(() => PreviewKind, { defaultValue: 'TEXT', description: 'How they are evaluated.' })
  readonly kind!: PreviewKindName;
}

@Resolver()
export class PreviewResolver {
  @Query(() => [ValuePreview], {
    description:
      'Evaluates texts of a step as a run would, with the samples of the other steps (`Workflow.samples`). Nothing is sent. Named secrets are `***`, and parameters of webhooks null.',
  })
  @Needs(workflowPolicy.read)
  async valuePreview(
    @Args() { texts, kind, ...step }: ValuePreviewArgs,
    @Ctx() { actor, services, signal }: GraphqlContext,
  ): Promise<ValuePreview[]> {
    const values = await services.previews.values(actor, placeOf(step), kind, texts, signal);
    return values.map(presentValue);
  }

  @Query(() => ScriptPreview, {
    description:
      'Executes the script of a field binding in the sandbox, with the samples of the other steps. Nothing is sent.',
  })
  @Needs(runPolicy.start)
  async scriptPreview(
    @Args() step: PreviewArgs,
    @Arg('binding', () => FieldBindingInput, { description: 'The binding; it need not be saved.' })
    binding: InstanceType<typeof FieldBindingInput>,
    @Ctx() { actor, services, signal }: GraphqlContext,
  ): Promise<ScriptPreview> {
    return presentScript(await services.previews.script(actor, placeOf(step), binding, signal));
  }
}

const placeOf = ({ workflowId, ...step }: PreviewArgs) => ({
  ...step,
  workflowId: databaseId(workflowId, 'Workflow'),
});

const valueOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

const presentValue = ({ json, ...value }: PreviewedValue): ValuePreview => ({
  ...value,
  value: valueOf(json),
});

const presentScript = ({ inputs, result, ...script }: PreviewedScript): ScriptPreview => ({
  ...script,
  inputs: Object.fromEntries(inputs.map(([name, json]) => [name, valueOf(json)])),
  result: valueOf(result),
});
