import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput, Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';

export interface ArgumentInput {
  /** Id of an existing argument; null or 0: a new one. */
  readonly id?: number | null;
  readonly name?: string | null;
  readonly description?: string | null;
}

/** A change of an aggregator: undefined fields keep their value. */
export interface AggregatorChange {
  readonly name?: string | null;
  /** Replaces all arguments. */
  readonly args?: readonly ArgumentInput[];
  readonly script?: string;
  readonly active?: boolean;
}

/** Maximum characters; for `args`, maximum number of arguments. */
export const AGGREGATOR_LENGTHS = {
  name: 255,
  script: 65_536,
  args: 50,
  argument: 64,
  description: 1_000,
} as const;

export const aggregatorNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('AGGREGATOR_NOT_FOUND', `There is no aggregator ${id}.`, { path });

export const argumentNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('ARGUMENT_NOT_FOUND', `There is no argument ${id}.`, { path });

export const nameTaken = (name: string): Conflict =>
  new Conflict(
    'AGGREGATOR_ALREADY_EXIST',
    `There is already an aggregator called ${JSON.stringify(name)}.`,
    { path: ['name'] },
  );

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Reserved words of JavaScript (strict or not), and names that the script environment defines. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum ' +
    'eval export extends false finally for function if implements import in instanceof interface ' +
    'let new null package private protected public return static super switch this throw true try ' +
    'typeof undefined var void while with yield NaN Infinity Requests Responses RESULT_VAR'
  ).split(' '),
);

export function aggregatorErrors({ name, args, script }: AggregatorChange): BadInput[] {
  const problems = [
    ...(name === undefined ? [] : nameProblems(name ?? '')),
    ...textProblems(script, AGGREGATOR_LENGTHS.script, ['script']),
    ...(args === undefined ? [] : argumentProblems(args)),
  ];
  const [first] = problems;
  return first === undefined
    ? []
    : [new BadInput(first.code, 'The aggregator is invalid.', { problems })];
}

function nameProblems(typed: string): Problem[] {
  const name = typed.trim();
  const problem = (message: string): Problem[] => [
    { code: 'NAME_INVALID', path: ['name'], message },
  ];
  if (hasMoreCharacters(name, AGGREGATOR_LENGTHS.name))
    return problem(`The name of an aggregator has at most ${AGGREGATOR_LENGTHS.name} characters.`);
  if (fold(name) === '') return problem('An aggregator needs a name.');
  return isVisible(name) ? [] : problem('The name contains invisible characters.');
}

function argumentProblems(args: readonly ArgumentInput[]): Problem[] {
  if (args.length > AGGREGATOR_LENGTHS.args)
    return [
      {
        code: 'LIST_TOO_LONG',
        path: ['args'],
        message: `At most ${AGGREGATOR_LENGTHS.args} arguments.`,
      },
    ];
  const problem = (code: ErrorCode, at: number, field: string, message: string): Problem => ({
    code,
    path: ['args', at, field],
    message,
  });
  const [names, ids] = [new Set<string>(), new Set<number>()];
  return args.flatMap(({ id, name: typed, description }, at): Problem[] => {
    const [name, argumentId] = [typed?.trim() ?? '', id ?? 0];
    const problems = textProblems(description, AGGREGATOR_LENGTHS.description, [
      'args',
      at,
      'description',
    ]);
    if (!IDENTIFIER.test(name) || RESERVED.has(name) || name.length > AGGREGATOR_LENGTHS.argument) {
      problems.push(
        problem(
          'ARGUMENT_NAME_INVALID',
          at,
          'name',
          `The name of an argument must be a JavaScript variable name: letters, digits, _ and $, at most ${AGGREGATOR_LENGTHS.argument} characters, and no reserved word.`,
        ),
      );
    } else if (names.has(name))
      problems.push(problem('NAMED_TWICE', at, 'name', `There are two arguments called ${name}.`));
    if (argumentId > 0 && ids.has(argumentId))
      problems.push(
        problem('NAMED_TWICE', at, 'id', `The argument ${argumentId} is in the list twice.`),
      );
    names.add(name);
    ids.add(argumentId);
    return problems;
  });
}
