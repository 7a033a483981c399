import {
  conditionToExpression,
  parseExpression,
  parseLoop,
  validateWorkflowSteps,
} from '../../src/engine';
import type { MethodDoc, OperatorDoc } from '../../src/engine';
import { RELATIONS } from './support/relations';
import { httpStep, ifStep, jsonBody, loopStep, reference, workflow } from './support/run';

const codes = (...steps: (MethodDoc | OperatorDoc)[]) =>
  validateWorkflowSteps(workflow(...steps)).map(({ index, code }) => [index, code]);
const url = 'https://example.org/';

describe('the check of the steps', () => {
  it('finds nothing in a valid workflow', () => {
    expect(
      codes(
        httpStep('0', url),
        loopStep('1', reference('0', '(response).body.list[*]'), 'i'),
        httpStep('1_0', `${url}${reference('0', '(response).body.list[i].id')}`),
        ifStep('1_1', 'i = 0'),
      ),
    ).toEqual([]);
  });

  it.each([null, '', '   '])(
    'names the operator with the expression %p in the format of the editors',
    (expression) => {
      expect(
        validateWorkflowSteps(workflow({ id: 'o1', index: '0_1', type: 'if', expression })),
      ).toEqual([
        {
          index: '0_1',
          type: 'if',
          stepId: 'o1',
          field: 'expression',
          code: 'OPERATOR_EXPRESSION_IS_EMPTY',
          message: 'Operator (index=0_1, type=if) has null or empty expression',
        },
      ]);
    },
  );

  it('requires an expression even where a run accepts a 4.x condition', () => {
    const condition = {
      relationalOperator: 'IsNull',
      leftStatement: { color: '#000000', type: 'response', field: 'success.x' },
    };
    expect(codes(httpStep('0', url), { index: '1', type: 'if', condition })).toEqual([
      ['1', 'OPERATOR_EXPRESSION_IS_EMPTY'],
    ]);
  });

  it('reports line and column of a syntax error', () => {
    expect(validateWorkflowSteps(workflow(ifStep('0', 'true &&\n  = 1')))).toEqual([
      {
        index: '0',
        type: 'if',
        stepId: 'o0',
        field: 'expression',
        code: 'EXPRESSION_SYNTAX',
        message: 'expression: Line 2, column 3: expected a value, found "=".',
        line: 2,
        column: 3,
      },
    ]);
    expect(
      validateWorkflowSteps(workflow(httpStep('0', 'http://x/{%#FF0000.(response).oops%}'))),
    ).toMatchObject([
      {
        index: '0',
        type: 'method',
        field: 'request.endpoint',
        code: 'REFERENCE_SYNTAX',
        line: 1,
        column: 31,
      },
    ]);
    expect(
      codes(
        httpStep('0', url, {
          request: {
            header: { a: '{%#FF0000.x%}' },
            body: jsonBody({ a: [{ b: '{%#FF0000.y%}' }] }),
          },
        }),
      ),
    ).toEqual([
      ['0', 'REFERENCE_SYNTAX'],
      ['0', 'REFERENCE_SYNTAX'],
    ]);
  });

  it.each<[string, (MethodDoc | OperatorDoc)[], [string | null, string][]]>([
    [
      'a bad index',
      [
        httpStep('0', url),
        httpStep('a_1', url, { color: '#AAAAAA' }),
        { ...ifStep('1', 'true'), index: null },
      ],
      [
        ['a_1', 'INDEX_INVALID'],
        [null, 'INDEX_INVALID'],
      ],
    ],
    [
      'an index used twice',
      [httpStep('0', url), ifStep('0', 'true'), httpStep('00', url, { color: '#AAAAAA' })],
      [
        ['00', 'INDEX_DUPLICATE'],
        ['0', 'INDEX_DUPLICATE'],
      ],
    ],
    [
      'a method with children',
      [httpStep('0', url), httpStep('0_0', url)],
      [['0_0', 'METHOD_HAS_CHILDREN']],
    ],
    [
      'an unknown operator',
      [{ ...ifStep('0', 'true'), type: 'while' }],
      [['0', 'OPERATOR_TYPE_UNKNOWN']],
    ],
    ['a missing URL', [httpStep('0', '  ')], [['0', 'REQUEST_URL_IS_EMPTY']]],
    [
      'a missing request',
      [{ id: 'm', index: '0', color: '#AAAAAA', methodType: 'HTTP_REQUEST', request: null }],
      [['0', 'REQUEST_URL_IS_EMPTY']],
    ],
    [
      'an unknown verb',
      [httpStep('0', url, { request: { method: 'FETCH' } })],
      [['0', 'REQUEST_METHOD_INVALID']],
    ],
    [
      'a bad header name',
      [httpStep('0', url, { request: { header: { 'a b': 'x', c: { d: 1 } } } })],
      [
        ['0', 'REQUEST_HEADER_INVALID'],
        ['0', 'REQUEST_HEADER_INVALID'],
      ],
    ],
    [
      'an invalid JSON body',
      [httpStep('0', url, { request: { body: { format: 'json', fields: '{oops' } } })],
      [['0', 'REQUEST_BODY_INVALID']],
    ],
    ['a bad colour', [httpStep('0', url, { color: 'red' })], [['0', 'COLOR_INVALID']]],
    [
      'a colour used twice',
      [httpStep('0', url, { color: '#abcdef' }), httpStep('1', url, { color: '#ABCDEF' })],
      [['1', 'COLOR_DUPLICATE']],
    ],
    [
      'a reference to an unknown step',
      [
        ifStep('0', `${reference('9', '(response).body')} IsNull`),
        httpStep('1', `${url}${reference('8', '(request).x')}`),
      ],
      [
        ['0', 'REFERENCE_COLOR_UNKNOWN'],
        ['1', 'REFERENCE_COLOR_UNKNOWN'],
      ],
    ],
    [
      'an unknown loop variable',
      [
        httpStep('0', url),
        ifStep('1', 'k = 1'),
        loopStep('2', reference('0', '(response).body[i]'), 'i'),
        httpStep('2_0', `${url}${reference('0', '(response).body[j]')}`),
      ],
      [
        ['1', 'ITERATOR_UNKNOWN'],
        ['2', 'ITERATOR_UNKNOWN'],
        ['2_0', 'ITERATOR_UNKNOWN'],
      ],
    ],
    [
      'a loop variable used twice',
      [loopStep('0', '[1]', 'i'), loopStep('0_0', '[1]', 'i')],
      [['0_0', 'ITERATOR_INVALID']],
    ],
    [
      'a loop variable that is a keyword',
      [loopStep('0', '[1]', 'Like')],
      [['0', 'ITERATOR_INVALID']],
    ],
  ])('reports %s', (_name, steps, problems) => {
    expect(codes(...steps)).toEqual(problems);
  });

  it('ignores the requests of other method types', () => {
    expect(
      codes({
        index: '0',
        methodType: 'CONNECTOR',
        color: '#AAAAAA',
        connector: { connectorId: 1 },
        request: null,
      }),
    ).toEqual([]);
  });
});

describe('a condition of the 4.x line', () => {
  const side = (
    field: string,
    color = '',
    type = color === '' ? '' : 'response',
    rightPropertyValue = '',
  ) => ({ color, type, field, rightPropertyValue });
  it.each(RELATIONS)('%s becomes an expression', (relationalOperator) => {
    const condition = {
      relationalOperator,
      leftStatement: side('success.a[i].b', '#FFCFB5'),
      rightStatement: side('x "quoted" \\ \n y'),
    };
    const text = conditionToExpression({ type: 'if', condition });
    expect(text).not.toBeNull();
    expect(parseExpression(text ?? '')).toBeTruthy();
  });

  it('has the same meaning as its expression', () => {
    const contains = {
      relationalOperator: 'Contains',
      leftStatement: side('success.list[*]', '#FFCFB5', 'response', 'id'),
      rightStatement: side('success.own', '#C77E7E', 'request'),
    };
    expect(conditionToExpression({ type: 'if', condition: contains })).toBe(
      '({%#FFCFB5.(response).success.list[*].id%} Contains {%#C77E7E.(request).success.own%})',
    );
    const loop = (relationalOperator: string | null) => ({
      relationalOperator,
      leftStatement: side('success.x', '#FFCFB5'),
      rightStatement: side(',\\s'),
    });
    expect(
      ['', 'for', 'forin', 'SplitString', null].map((name) =>
        conditionToExpression({ type: 'loop', condition: loop(name) }),
      ),
    ).toEqual([
      'For({%#FFCFB5.(response).success.x%})',
      'For({%#FFCFB5.(response).success.x%})',
      'ForIn({%#FFCFB5.(response).success.x%})',
      String.raw`SplitString({%#FFCFB5.(response).success.x%}, ",\\s")`,
      'For({%#FFCFB5.(response).success.x%})',
    ]);
    expect(
      parseLoop(conditionToExpression({ type: 'loop', condition: loop('SplitString') }) ?? ''),
    ).toMatchObject({ kind: 'SplitString', delimiter: { value: ',\\s' } });
  });

  it.each([
    null,
    undefined,
    'x',
    {},
    { relationalOperator: '=' },
    { relationalOperator: '', leftStatement: side('a') },
  ])('is missing when it is %j', (condition) => {
    expect(conditionToExpression({ type: 'if', condition })).toBeNull();
  });
});
