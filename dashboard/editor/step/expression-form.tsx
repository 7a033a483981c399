import { useEffect, useRef, useState } from 'preact/hooks';
import { toFailure } from '../../api/failure';
import { request } from '../../api/request';
import {
  ExpressionFormDocument,
  ExpressionFunctionsDocument,
  ExpressionTextDocument,
} from '../../generated/operations';
import type { ExpressionFormQuery, ExpressionFunctionsQuery } from '../../generated/operations';
import { useQuery } from '../../api/hooks';
import type { OperatorStep } from '../document';
import { useStepContext } from '../fields/step-context';
import { StepTextField } from '../fields/text-field';
import { ConditionFields, EMPTY_RULE } from './condition-fields';
import { LoopFields } from './loop-fields';

export type FormResult = ExpressionFormQuery['expressionForm'];
export type ExpressionForm = NonNullable<FormResult['form']>;
export type OperatorChoice = ExpressionFunctionsQuery['expressionFunctions'][number];

/** Kinds of functions that compare two values or test one. */
const RULE_KINDS: readonly string[] = ['COMPARISON', 'TEST', 'LIST', 'KEYS', 'TEXT', 'TYPE'];

/** Delay before a typed expression is read as a form, ms. */
const READ_DELAY_MS = 300;

/** The form of the expression of a step, and a function that writes it. */
function useForm(step: OperatorStep, write: (text: string) => void) {
  const [result, setResult] = useState<FormResult | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** The text of the last form, which is not read again. */
  const writtenText = useRef<string | null>(null);
  const lastWrite = useRef(0);
  const text = step.expression;
  useEffect(() => {
    if (text.trim() === '' || text === writtenText.current) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      request(ExpressionFormDocument, { text }, controller.signal).then(
        ({ expressionForm }) => setResult(expressionForm),
        () => undefined,
      );
    }, READ_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const change = async (form: ExpressionForm): Promise<void> => {
    const current = (lastWrite.current += 1);
    setResult({ form, problem: null });
    try {
      const { expressionText } = await request(ExpressionTextDocument, {
        form,
      });
      if (current !== lastWrite.current) return;
      setProblem(null);
      writtenText.current = expressionText;
      write(expressionText);
    } catch (error) {
      if (current === lastWrite.current) setProblem(toFailure(error).message);
    }
  };
  return { result, problem, change };
}

const EMPTY_FORMS: Readonly<Record<'IF' | 'LOOP', ExpressionForm>> = {
  IF: {
    loop: null,
    condition: { joinedBy: 'AND', items: [{ rule: EMPTY_RULE, group: null }] },
  },
  LOOP: {
    loop: { kind: 'FOR', list: { kind: 'TEXT', text: '' }, delimiter: null },
    condition: null,
  },
};

/** A condition or loop: by form, and as text; a change of one changes the other. */
export function ExpressionForm({ step }: { step: OperatorStep }) {
  const { session } = useStepContext();
  const write = (expression: string): void =>
    session.update(step.id, { operator: { expression } }, { isTyping: true });
  const { result, problem, change } = useForm(step, write);
  const functions = useQuery(ExpressionFunctionsDocument, {}).data?.expressionFunctions ?? [];
  const operators = functions.filter(({ kind }) => RULE_KINDS.includes(kind));
  const isLoop = step.type === 'LOOP';
  const form =
    result?.form ?? (step.expression.trim() === '' ? EMPTY_FORMS[isLoop ? 'LOOP' : 'IF'] : null);
  return (
    <>
      {form?.condition ? (
        <ConditionFields
          condition={form.condition}
          operators={operators}
          onChange={(condition) => void change({ loop: null, condition })}
        />
      ) : null}
      {form?.loop ? (
        <LoopFields
          step={step}
          loop={form.loop}
          onChange={(loop) => void change({ loop, condition: null })}
        />
      ) : null}
      {result !== null && form === null && result.problem === null ? (
        <p class="quiet">This expression is more than the form can show. Edit it as text.</p>
      ) : null}
      {problem === null ? null : <p class="bad">{problem}</p>}
      <details open={form === null}>
        <summary>Expression</summary>
        <StepTextField
          label="Expression"
          isLabelHidden
          isMultiline
          isExpression
          value={step.expression}
          path="expression"
          onChange={write}
        />
        {result?.problem == null ? null : (
          <p class="bad">
            {result.problem.message}
            {result.problem.line === null
              ? ''
              : ` Line ${result.problem.line}, column ${result.problem.column}.`}
          </p>
        )}
        <details>
          <summary>Operators and functions</summary>
          <dl class="functions">
            {functions.map(({ name, description, example }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  {description} <code>{example}</code>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </details>
    </>
  );
}
