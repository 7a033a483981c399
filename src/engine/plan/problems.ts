import { ENGINE_ERROR_CODES } from '../error-codes';
import type { EngineErrorCode } from '../error-codes';
import { EngineError, ExpressionError } from '../errors';
import type { Steps } from '../turns';

/** What is wrong with one step of a workflow. */
export interface StepProblem {
  index: string | null;
  /** `method`, `if`, `loop`, or whatever else the operator calls itself. */
  type: string;
  stepId: string | null;
  /** Where in the step, names joined with dots: `request.header.Accept`; null when it is the step as a whole. */
  field: string | null;
  code: StepProblemCode;
  message: string;
  /** Where in the text, from 1; only for texts that do not parse. */
  line?: number;
  column?: number;
}

/** What ends a run, before anything is called or when the step is reached. */
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

/** What is told and ends no run: a reference to nothing is null. */
const ONLY_TOLD = {
  REFERENCE_COLOR_UNKNOWN: 'A reference names a colour that no method has.',
} as const;

type EndingProblemCode = (typeof ENDING)[number];
export type StepProblemCode = EndingProblemCode | keyof typeof ONLY_TOLD;

/** Everything that may be wrong with a step as it is written, with what each code means. */
export const STEP_PROBLEM_CODES: Readonly<Record<StepProblemCode, string>> = {
  ...(Object.fromEntries(ENDING.map((code) => [code, ENGINE_ERROR_CODES[code]])) as Record<
    EndingProblemCode,
    string
  >),
  ...ONLY_TOLD,
};

/** The step a problem belongs to. */
export interface StepIdentity {
  readonly index: string | null;
  readonly type: string;
  readonly stepId: string | null;
}

/** Problems of one workflow that are told. */
export const MOST_PROBLEMS = 10_000;

/** Collects the problems of one step. */
export class ProblemReport {
  constructor(
    private readonly step: StepIdentity,
    private readonly problems: StepProblem[],
  ) {}

  /** More than anybody reads are not kept. */
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

  /** Reads a text; when it does not parse, reports where and gives null. */
  attempt<Result>(part: string, code: StepProblemCode, read: () => Result): Result | null {
    try {
      return read();
    } catch (error) {
      return this.refused(part, code, error);
    }
  }

  /** The same for what is read in turns. */
  *attemptSteps<Result>(
    part: string,
    code: StepProblemCode,
    read: () => Steps<Result>,
  ): Steps<Result | null> {
    try {
      return yield* read();
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
