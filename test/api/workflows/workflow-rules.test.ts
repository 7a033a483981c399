import fc from 'fast-check';
import { testService } from '../../support/service/harness';
import { storeConnection } from '../../support/store/stored';
import { saved, workflow } from '../../support/documents/workflows';
import { rounds } from '../../support/rounds';

const service = testService();

interface Rule {
  ruleId: number;
  type: string;
  expression: string;
}
const REGEX = { type: 'regex', expression: 'token=[^&]+' };
const made = (): Promise<number> => saved(service, workflow([]));
const add = (id: number, body: unknown) =>
  service.api('POST', `/api/connection/${id}/rule`, { body });
const all = (id: number): Promise<Rule[]> => service.body('GET', `/api/connection/${id}/rule/all`);
const events = async (): Promise<any[]> =>
  (
    await service.field(
      '{ auditEvents(first: 5) { nodes { action target { targetId } before after } } }',
    )
  ).nodes;

describe('the masking rules of a workflow', () => {
  it('are added, listed, read, changed and deleted as in the released line', async () => {
    const id = await made();
    expect(await all(id)).toEqual([]);
    const first = await add(id, REGEX);
    expect([first.status, first.body]).toEqual([201, { ruleId: expect.any(Number), ...REGEX }]);
    expect(first.headers.get('location')).toBe(
      `${service.url}/api/connection/${id}/rule/${first.body.ruleId}`,
    );
    const more = [
      { type: 'JSONPath', expression: '$..password' },
      { type: 'XPath', expression: '//Secret/text()' },
    ];
    const list = await service.api('POST', `/api/connection/${id}/rule/list`, { body: more });
    expect([list.status, list.body]).toEqual([
      201,
      more.map((rule) => ({ ruleId: expect.any(Number), ...rule })),
    ]);
    expect(await all(id)).toEqual([first.body, ...list.body]);

    const path = `/api/connection/${id}/rule/${first.body.ruleId}`;
    expect(await service.body('GET', path)).toEqual(first.body);
    const changed = await service.api('PUT', path, {
      body: { ruleId: 5, type: 'JSONPath', expression: '$.a' },
    });
    expect([changed.status, changed.body, changed.headers.get('etag')]).toEqual([
      200,
      { ruleId: first.body.ruleId, type: 'JSONPath', expression: '$.a' },
      '"2"',
    ]);
    expect((await events())[0]).toMatchObject({
      action: 'WORKFLOW_RULES_CHANGE',
      target: { targetId: String(id) },
      before: { rules: [{ expression: REGEX.expression }] },
      after: { rules: [{ expression: '$.a' }] },
    });
    expect(await service.status('DELETE', path)).toBe(204);
    expect((await service.api('GET', path)).body.message).toBe('RULE_NOT_FOUND');
    expect(await service.status('DELETE', `/api/connection/${id}/rule/all`)).toBe(204);
    expect(await service.status('DELETE', `/api/connection/${id}/rule/all`)).toBe(204);
    expect(await all(id)).toEqual([]);
    expect((await events()).map(({ action }) => action)).toEqual([
      'WORKFLOW_RULES_REMOVE',
      'WORKFLOW_RULES_REMOVE',
      'WORKFLOW_RULES_CHANGE',
      'WORKFLOW_RULES_ADD',
      'WORKFLOW_RULES_ADD',
    ]);
  });

  it('belong to their workflow, and are deleted and copied with it', async () => {
    const [id, other] = [await made(), await made()];
    const { body: rule } = await add(id, REGEX);
    expect(
      (await service.api('GET', `/api/connection/${other}/rule/${rule.ruleId}`)).body.message,
    ).toBe('RULE_NOT_FOUND');
    const workflowDuplicate = await service.mutate(
      'workflowDuplicate',
      { workflowId: id },
      'workflow { databaseId rules { totalCount nodes { type expression version } } }',
    );
    expect(workflowDuplicate.workflow.rules).toEqual({
      totalCount: 1,
      nodes: [{ type: 'REGEX', expression: REGEX.expression, version: 1 }],
    });
    expect((await all(workflowDuplicate.workflow.databaseId as number))[0].ruleId).not.toBe(
      rule.ruleId,
    );
    const countRules = (): Promise<number> =>
      storeConnection().collection('masking_rules').countDocuments({ workflowId: id });
    expect(await countRules()).toBe(1);
    await service.api('DELETE', `/api/connection/${id}`);
    expect(await countRules()).toBe(0);
    expect((await add(id, REGEX)).body.message).toBe('CONNECTION_NOT_FOUND');
  });

  it('are never added to a workflow that is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await made();
      const [added, removed] = await Promise.all([
        add(id, REGEX),
        service.api('DELETE', `/api/connection/${id}`),
      ]);
      expect([
        [201, 204],
        [404, 204],
      ]).toContainEqual([added.status, removed.status]);
      expect(
        await storeConnection().collection('masking_rules').countDocuments({ workflowId: id }),
      ).toBe(0);
    }
  });

  it('are limited to 100, also for concurrent requests, and a list is added completely or not at all', async () => {
    const id = await made();
    const list = (count: number, last: object = REGEX): Promise<any> =>
      service.api('POST', `/api/connection/${id}/rule/list`, {
        body: [...Array<object>(count - 1).fill(REGEX), last],
      });
    const broken = await list(3, { type: 'XPath', expression: '//a[' });
    expect([broken.status, broken.body.message]).toEqual([400, 'RULE_INVALID']);
    expect(broken.body.error).toContain('column 5');
    const answers = await Promise.all([list(40), list(40), list(40)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400]);
    expect(await all(id)).toHaveLength(80);
    expect((await list(21)).body.message).toBe('RULE_INVALID');
    expect((await list(101)).status).toBe(400);
    expect((await list(20)).status).toBe(201);
    expect((await add(id, REGEX)).body).toMatchObject({
      message: 'RULE_INVALID',
      error: 'A workflow has at most 100 masking rules.',
    });
  });
});

describe('a masking rule is accepted', () => {
  it.each([
    ['regex', '(?i)password"\\s*:\\s*"[^"]*"'],
    ['regex', '(a+)+$b'],
    ['regex', '\\b\\d{16}\\b'],
    ['regex', '[\\p{L}]+@example\\.org'],
    ['JSONPath', '$.a.b[0]'],
    ['JSONPath', "$['a','b'][*]"],
    ['JSONPath', '$..items[?@.secret == true].value'],
    ['JSONPath', '$[0:10:2]'],
    ['JSONPath', '$..a..b'],
    ['JSONPath', '$[?length(@.a) > 3 && !@.b]'],
    ['XPath', '/a/b/@c'],
    ['XPath', '//Secret'],
    ['XPath', "//*[@type='secret']/text()"],
    ['XPath', '//ns:Token | //Password'],
    ['XPath', 'descendant::a/child::b[position() = last()]'],
    ['XPath', "/a[contains(@b, 'x') and not(c) or (d > 3)]"],
    ['XPath', '//a[../b = "x"]/..'],
    ['XPath', '//soap:*'],
    ['XPath', "//a[starts-with(normalize-space(.), 'key')]"],
    ['XPath', '/descendant-or-self::node()/a'],
  ])('as %s: %s', async (type, expression) => {
    const answer = await add(await made(), { type, expression });
    expect([answer.status, answer.body.expression ?? answer.body.error]).toEqual([201, expression]);
  });
});

describe('a masking rule is rejected', () => {
  it.each([
    ['regex', 'ab(', 'missing closing )'],
    ['regex', '(a)\\1', 'column 4: invalid escape'],
    ['regex', 'a(?=b)', 'column 2: invalid or unsupported Perl syntax: (?='],
    ['regex', '(a{1000}){1000}', 'repeat'],
    ['regex', 'a*', 'without any character'],
    ['regex', '', 'needs an expression'],
    ['regex', '  ', 'needs an expression'],
    ['regex', 'x'.repeat(1001), '1000 characters'],
    ['JSONPath', 'a.b', 'column 1:'],
    ['JSONPath', '$.a[', 'column 5:'],
    ['JSONPath', '$.a b', 'column 5:'],
    ['JSONPath', '$..a..b..c', 'more than 2 times'],
    ['JSONPath', '$[?@.a[?@.b]]', 'filter stands in a filter'],
    ['JSONPath', '$[?@..a]', 'filter descends'],
    ['JSONPath', "$[?match(@.a, '(a+)+')]", 'match()'],
    ['JSONPath', '$[?search(@.a, $.b)]', 'search()'],
    ['JSONPath', `$${'[?@.a'.repeat(150)}${']'.repeat(150)}`, 'filter'],
    ['XPath', '//', 'column 3:'],
    ['XPath', '/a/b[', 'column 6:'],
    ['XPath', 'a b', 'column 3:'],
    ['XPath', '//a//b//c', 'more than 2 times'],
    ['XPath', '//a[b[c]]', 'must not contain a condition'],
    ['XPath', '//a[.//b]', 'must not descend'],
    ['XPath', "//a[matches(., 'x')]", 'function matches'],
    ['XPath', 'following::a', 'axis following'],
    ['XPath', 'count(//a)', 'count()'],
    ['XPath', "//a[contains('x')]", 'arguments'],
    ['XPath', '$v', 'column 1:'],
    ['XPath', '/', 'column 2:'],
    ['XPath', `//a[${'('.repeat(400)}1${')'.repeat(400)}]x`, 'column'],
  ])('as %s: %s', async (type, expression, excerpt) => {
    const { status, body } = await add(await made(), { type, expression });
    expect([status, body.message]).toEqual([400, 'RULE_INVALID']);
    expect(body.error).toContain(excerpt);
  });

  it.each([
    { type: 'regexp', expression: 'a' },
    { type: 'regex' },
    { expression: 'a' },
    [],
    'x',
    { type: 'regex', expression: 5 },
  ])('as malformed: %j', async (body) => {
    expect((await add(await made(), body)).body.message).toBe('BAD_REQUEST');
  });

  it('or stored for any text', async () => {
    const id = await made();
    const piece = fc.constantFrom(
      '$',
      '..',
      '.',
      '[',
      ']',
      '?',
      '@',
      '(',
      ')',
      '*',
      '+',
      '{',
      '}',
      '//',
      '/',
      '|',
      "'",
      '"',
      'a',
      '1',
      ',',
      '::',
      '\\',
      '&&',
      'not',
      ' ',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('regex', 'JSONPath', 'XPath'),
        fc.array(piece, { minLength: 1, maxLength: 400 }),
        async (type, pieces) => {
          const { status, body } = await add(id, {
            type,
            expression: pieces.join('').slice(0, 1_000),
          });
          if (status === 201)
            await service.api('DELETE', `/api/connection/${id}/rule/${body.ruleId}`);
          expect([201, 400]).toContain(status);
        },
      ),
      { numRuns: rounds(50) },
    );
  });
});

describe('masking rules over GraphQL', () => {
  const FIELDS =
    'maskingRule { id databaseId type expression version createdBy { email } workflow { databaseId } } userErrors { code path message }';
  const mutate = (name: string, input: object) => service.mutate(name, input, FIELDS);

  it('are nodes that are added, changed and deleted', async () => {
    const id = await made();
    const { maskingRule } = await mutate('maskingRuleCreate', {
      workflowId: String(id),
      type: 'JSONPATH',
      expression: '$.a',
    });
    expect(maskingRule).toMatchObject({
      type: 'JSONPATH',
      expression: '$.a',
      version: 1,
      createdBy: { email: 'admin@hypha.test' },
      workflow: { databaseId: id },
    });
    expect(await all(id)).toEqual([
      { ruleId: maskingRule.databaseId, type: 'JSONPath', expression: '$.a' },
    ]);
    const changed = await mutate('maskingRuleUpdate', {
      id: maskingRule.id,
      expression: '$.b',
      expectedVersion: 1,
    });
    expect(changed.maskingRule).toMatchObject({ type: 'JSONPATH', expression: '$.b', version: 2 });
    expect(
      await mutate('maskingRuleUpdate', {
        id: maskingRule.id,
        type: 'XPATH',
      }),
    ).toMatchObject({
      maskingRule: null,
      userErrors: [{ code: 'RULE_INVALID', path: ['expression'] }],
    });
    const { node, workflow: owner } = await service.data(
      'query($id: ID!, $workflow: ID!) { node(id: $id) { ... on MaskingRule { expression } } workflow(id: $workflow) { version rules(first: 5) { nodes { id } } } }',
      { id: maskingRule.id, workflow: id },
    );
    expect([node, owner]).toEqual([
      { expression: '$.b' },
      { version: 1, rules: { nodes: [{ id: maskingRule.id }] } },
    ]);
    expect(
      (
        await mutate('maskingRuleDelete', {
          id: maskingRule.id,
          expectedVersion: 2,
        })
      ).userErrors,
    ).toEqual([]);
    expect(await all(id)).toEqual([]);
  });
});
