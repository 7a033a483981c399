import {
  renamedInExpression,
  renamedInPath,
  renamedInText,
  renamedInVariables,
} from '../../../src/engine';
import type { Renames } from '../../../src/engine';

const renames: Renames = new Map([
  ['i', { to: 'j', isKey: false }],
  ['j', { to: 'k', isKey: true }],
]);

describe('renaming loop variables', () => {
  it.each([
    ['items[i].name', 'items[j].name'],
    ['a[ i ].b[j]~', 'a[j].b[k]~'],
    ["a['j']~", "a['k']~"],
    ["a['i']", "a['i']"],
    ['a[ii].i.b[0][*][]', 'a[ii].i.b[0][*][]'],
    ["a['x[i]y']", "a['x[i]y']"],
  ])('changes a path: %s', (path, renamed) => expect(renamedInPath(path, renames)).toBe(renamed));

  it.each([
    [
      'http://a/{%#AABBCC.(response).body.x[i]%}?i=[i]&y=${list[i]:string}',
      'http://a/{%#AABBCC.(response).body.x[j]%}?i=[i]&y=${list[j]:string}',
    ],
    [
      '#aabbcc.(response).success.a[i];#AABBCC.(request).b[j]',
      '#aabbcc.(response).success.a[j];#AABBCC.(request).b[k]',
    ],
    ['text [i] #AABBCC.(response).a[i]', 'text [i] #AABBCC.(response).a[i]'],
    ['{%i%} {% if [i] %}', '{%i%} {% if [i] %}'],
  ])('changes a text: %s', (text, renamed) => expect(renamedInText(text, renames)).toBe(renamed));

  it.each([
    [
      '( {%#AABBCC.(response).body.x[i]%}  = i ) || "i [i]" != j',
      '( {%#AABBCC.(response).body.x[j]%}  = j ) || "i [i]" != k',
    ],
    [
      'For( {%#AABBCC.(response).body.list[i].inner%} )',
      'For( {%#AABBCC.(response).body.list[j].inner%} )',
    ],
    ['ii + i', 'ii + j'],
    [' i ', ' j '],
    ['i = (', 'j = ('],
    ['{%#AABBCC.(response).a[i]%} @@ i', '{%#AABBCC.(response).a[j]%} @@ i'],
  ])('changes an expression: %s', (text, renamed) =>
    expect(renamedInExpression(text, renames)).toBe(renamed),
  );

  it('changes the variables of a script', () => {
    expect(
      renamedInVariables(
        '//var RESULT_VAR = #C77E7E.(request).Ticket[i];\n//var VAR_0 = #FFCFB5.(response).success.t[j].a b; i[i]',
        renames,
      ),
    ).toBe(
      '//var RESULT_VAR = #C77E7E.(request).Ticket[j];\n//var VAR_0 = #FFCFB5.(response).success.t[k].a b; i[i]',
    );
  });
});
