import { ENGINE_ERROR_CODES } from '../error-codes';
import type { EngineErrorCode } from '../error-codes';
import { EngineError, ExpressionError } from '../errors';

/** A problem of a step. */
export interface StepProblem {
  index: string | null;
  /** `method`, `if`, `loop`, or the type as saved if it is unknown. */
  type: string;
  stepId: string | null;
  /** Path within the step: `request.header.Accept`; null: the step as a whole. */
  field: string | null;
  code: StepProblemCode;
  message: string;
  /** Position in the text, from 1; for syntax errors only. */
  line?: number;
  column?: number;
}

/** Problems that end a run, either before it starts or when it reaches the step. */
const ENDING = [
  'INDEX_INVALID',
  'INDEX_DUPLICATE',
  'METHOD_HAS_CHILDREN',
  'OPERATOR_TYPE_UNKNOWN',
  'OPERATOR_EXPRESSION_IS_EMPTY',
  'EXPRESSION_SYNTAX',
  'ITERATOR_INVALID',
  'ITERATOR_UNKNOWN',
  'COLOR_INVALID',
  'COLOR_DUPLICATE',
  'REFERENCE_SYNTAX',
  'REQUEST_URL_IS_EMPTY',
  'REQUEST_METHOD_INVALID',
  'REQUEST_HEADER_INVALID',
  'REQUEST_BODY_INVALID',
  'SECRET_NOT_ALLOWED_HERE',
  'STEP_SETTING_INVALID',
  'CREDENTIALS_NEED_CONFIRMATION',
] as const satisfies readonly EngineErrorCode[];

/** Problems that are reported only; such a reference is null. */
const ONLY_TOLD = {
  REFERENCE_COLOR_UNKNOWN: 'A reference names a colour that no method has.',
  REFERENCE_FIELD_UNKNOWN:
    'A reference names a field that the operation of its step does not declare.',
} as const;

type EndingProblemCode = (typeof ENDING)[number];
export type StepProblemCode = EndingProblemCode | keyof typeof ONLY_TOLD;

/** All problem codes of steps with their meanings. */
export const STEP_PROBLEM_CODES: Readonly<Record<StepProblemCode, string>> = {
  ...(Object.fromEntries(ENDING.map((code) => [code, ENGINE_ERROR_CODES[code]])) as Record<
    EndingProblemCode,
    string
  >),
  ...ONLY_TOLD,
};

/** Problems of a skipped step that make others ambiguous. */
const OF_THE_WHOLE: ReadonlySet<StepProblemCode> = new Set<StepProblemCode>([
  'INDEX_DUPLICATE',
  'METHOD_HAS_CHILDREN',
  'COLOR_DUPLICATE',
]);

/** Removes the problems of steps that are skipped, by their indexes. */
export const withoutSkipped = (
  problems: readonly StepProblem[],
  skipped: ReadonlySet<string>,
): StepProblem[] =>
  problems.filter(
    ({ index, code }) => index === null || !skipped.has(index) || OF_THE_WHOLE.has(code),
  );

interface StepIdentity {
  readonly index: string | null;
  readonly type: string;
  readonly stepId: string | null;
}

/** Maximum number of problems kept for a workflow. */
export const MOST_PROBLEMS = 10_000;

/** Collects the problems of one step. */
export class ProblemReport {
  constructor(
    private readonly step: StepIdentity,
    private readonly problems: StepProblem[],
  ) {}

  /** Ignored once there are MOST_PROBLEMS. */
  add(
    code: StepProblemCode,
    field: string | null,
    message: string,
    position?: { line: number; column: number },
  ): void {
    if (this.problems.length >= MOST_PROBLEMS) return;
    this.problems.push({
      ...this.step,
      field,
      code,
      message,
      ...(position && { line: position.line, column: position.column }),
    });
  }

  /** Calls `read`; on a syntax error, reports it and returns null. */
  attempt<Result>(part: string, code: StepProblemCode, read: () => Result): Result | null {
    try {
      return read();
    } catch (error) {
      return this.refused(part, code, error);
    }
  }

  private refused(part: string, code: StepProblemCode, error: unknown): null {
    if (error instanceof ExpressionError) this.add(code, part, `${part}: ${error.message}`, error);
    else if (error instanceof EngineError)
      this.add(
        error.code === 'SECRET_NOT_ALLOWED_HERE' ? error.code : 'REQUEST_BODY_INVALID',
        part,
        `${part}: ${error.message}`,
      );
    else throw error;
    return null;
  }
}
