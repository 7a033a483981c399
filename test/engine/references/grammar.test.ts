import fc from 'fast-check';
import { ExpressionError } from '../../../src/engine';
import { parseExpression, parseLoop } from '../../../src/engine/expression/parse';
import { printExpression, printLoop } from '../../../src/engine/expression/tree';
import { expressionTree, valueOf } from '../support/expressions';
import { rounds } from '../../support/rounds';

const failure = (
  text: string,
  parse: (text: string) => unknown = parseExpression,
): ExpressionError => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${text} parses`);
};

describe('the grammar of expressions', () => {
  it('parses every tree that it prints', () => {
    fc.assert(
      fc.property(expressionTree, (tree) => {
        expect(parseExpression(printExpression(tree))).toEqual(tree);
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('answers any text with a tree or a positioned error', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '"',
      "'",
      '\\',
      '{%',
      '%}',
      '${',
      '}',
      '#FF0000',
      '.',
      '(response)',
      '.body',
      '~',
      '*',
      '!',
      '=',
      '<',
      '||',
      'AND',
      'Like',
      'IsNull',
      'For',
      'i',
      '1',
      '-',
      '.5',
      'e9',
      '\n',
      ' ',
      ',',
      '\u0000',
      '😀',
    );
    const garbage = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        for (const parse of [parseExpression, parseLoop]) {
          try {
            parse(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
            expect((error as ExpressionError).line).toBeGreaterThan(0);
            expect((error as ExpressionError).column).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['12 / 3 / 2', 2],
    ['7 % 4', 3],
    ['2 - -3', 5],
    ['-2 * 3', -6],
    ['.5 + 1.5e1', 15.5],
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['NOT true OR true', true],
    ['!true = false', true],
    ['!!true', true],
    ['not 1 = 2 and TRUE', true],
    ['1 < 2 || "a" < 1', true],
    ['"a" + 1', 'a1'],
    [String.raw`"tab\t\"quote\" \u0041"`, 'tab\t"quote" A'],
    [`'it\\'s'`, "it's"],
    ['[1, "a", [true]] = [1, "a", [true]]', true],
    ['[] IsEmpty', true],
    ['1 == 1', true],
    ['"abc" regexp "a.c"', true],
    ['"abc" REGEX "a.c"', true],
    ['"abc" cOnTaInSsUbStR "b"', true],
    ['${order.id:number} IsNull', true],
    ['null = null', true],
  ])('%s evaluates to %p', (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it.each([
    ['', 1, 1, 'a value', 'the end of the text'],
    ['1 =', 1, 4, 'a value', 'the end of the text'],
    ['1 = 2 = 3', 1, 7, 'an operator or the end of the expression', '"="'],
    ['(1 + 2', 1, 7, '")"', 'the end of the text'],
    ['1 +\n  * 2', 2, 3, 'a value', '"*"'],
    ['"abc', 1, 5, 'the closing "', 'the end of the text'],
    [String.raw`"\x"`, 1, 3, String.raw`\" \' \\ \n \t or \uXXXX`, '"x"'],
    ['#FF0000.(response).body.x = 1', 1, 1, 'a reference inside {% and %}', '"#"'],
    ['{%#FF00.(response).body%}', 1, 3, 'a colour like #AABBCC', '"#"'],
    ['{%#FF0000.(answer).body%}', 1, 11, '"(request)" or "(response)"', '"("'],
    ['{%#FF0000.(response).text%}', 1, 22, 'body, success, fail, header or status', '"t"'],
    ['{%#FF0000.(response).body[i%}', 1, 28, '"]"', '"%"'],
    ['{%#FF0000.(response).body', 1, 26, '"%}"', 'the end of the text'],
    [
      '${a:datetime}',
      1,
      5,
      'a type (string, number, integer, boolean, array, object, undefined)',
      '"d"',
    ],
    ['a Like', 1, 7, 'a value', 'the end of the text'],
    ['1 ; 2', 1, 3, 'an expression', '";"'],
    ['1e999', 1, 1, 'a number within the range of a double', '1e999'],
    ['[1, 2', 1, 6, '"," or "]"', 'the end of the text'],
    ['Like = 1', 1, 1, 'a value', '"Like"'],
  ])('%p fails at line %d, column %d', (text, line, column, expected, actual) => {
    const error = failure(text);
    expect({
      code: error.code,
      line: error.line,
      column: error.column,
      expected: error.expected,
      found: error.found,
    }).toEqual({ code: 'EXPRESSION_SYNTAX', line, column, expected, found: actual });
    expect(error.message).toBe(
      `Line ${line}, column ${column}: expected ${expected}, found ${actual}.`,
    );
  });

  it('rejects nesting that would exhaust the stack, and accepts long chains', () => {
    expect(failure(`${'('.repeat(5_000)}1${')'.repeat(5_000)}`).expected).toBe(
      'at most 200 levels of nesting',
    );
    expect(failure('!'.repeat(5_000)).expected).toBe('at most 200 levels of nesting');
    expect(failure('['.repeat(5_000)).expected).toBe('at most 200 levels of nesting');
    expect(valueOf(Array.from({ length: 5_000 }, () => '1').join(' + '))).toBe(5_000);
    expect(valueOf(`${Array.from({ length: 5_000 }, () => 'false').join(' || ')} || true`)).toBe(
      true,
    );
  });
});

describe('the expression of a loop', () => {
  it.each([
    ['For({%#FF0000.(response).body.a[*]%})', 'For({%#FF0000.(response).body.a[*]%})'],
    ['forin({%#ff0000.(response).success.a%})', 'ForIn({%#FF0000.(response).success.a%})'],
    ['{%#FF0000.(response).body%}', 'For({%#FF0000.(response).body%})'],
    ['[1, 2, 3]', 'For([1, 2, 3])'],
    ['(("a" + "b"))', 'For(("a" + "b"))'],
    [
      `SplitString({%#FF0000.(response).body.x%}, ',\\\\s*')`,
      String.raw`SplitString({%#FF0000.(response).body.x%}, ",\\s*")`,
    ],
  ])('%s means %s', (text, printed) => {
    const loop = parseLoop(text);
    expect(printLoop(loop)).toBe(printed);
    expect(parseLoop(printLoop(loop))).toEqual(loop);
  });

  it.each(['For()', 'For([1]', 'SplitString("a")', '[1] [2]', '1 = 2', 'ForIn'])(
    '%s is rejected',
    (text) => {
      expect(failure(text, parseLoop).code).toBe('EXPRESSION_SYNTAX');
    },
  );
});
