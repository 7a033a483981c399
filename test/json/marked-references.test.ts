import type { StepShape } from './support/marked-references';
import { markedDocument, strayReferences } from './support/marked-references';

const METHOD: StepShape = { type: 'method', variable: null, children: [] };
const loop = (variable: string | null, children: readonly StepShape[]): StepShape => ({
  type: 'loop',
  variable,
  children,
});

describe('a workflow of marked references', () => {
  it('refers to each loop around a step by its id, with its variable', () => {
    const document = markedDocument([loop('row', [loop(null, [METHOD])])]);
    expect(document?.fromConnector.methods.at(-1)?.request).toEqual({
      endpoint:
        'http://a.test/{%#AAAAAA.(response).body.list[row].n0%}/{%#AAAAAA.(response).body.list[j].n1%}',
      header: {
        'X-A': '{%#AAAAAA.(response).body.list[row].n0%} {%#AAAAAA.(response).body.list[j].n1%}',
      },
    });
    expect(strayReferences(document!, new Set())).toEqual([]);
  });

  it('does not exist if two nested loops have the same variable', () => {
    expect(markedDocument([loop('j', [loop(null, [METHOD])])])).toBeNull();
  });

  it('shows a reference whose variable belongs to another loop', () => {
    const document = markedDocument([loop('row', [loop('k', [METHOD])])])!;
    const changed = JSON.parse(
      JSON.stringify(document).replaceAll('list[row].n0', 'list[k].n0'),
    ) as typeof document;
    expect(new Set(strayReferences(changed, new Set()))).toEqual(
      new Set(['n1: [k] of n0', 'n2: [k] of n0']),
    );
  });

  it('leaves out references whose step has left their loop', () => {
    const document = markedDocument([loop('row', [METHOD])])!;
    const [, method] = document.fromConnector.methods;
    const left = new Set<string>();
    const outside = { ...method, index: '2' };
    const changed = {
      ...document,
      fromConnector: {
        ...document.fromConnector,
        methods: [document.fromConnector.methods[0], outside],
      },
    };
    expect([strayReferences(changed, left), [...left]]).toEqual([[], ['n1 n0']]);
  });
});
