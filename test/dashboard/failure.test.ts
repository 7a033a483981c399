import { failureOf } from '../../dashboard/api/failure';
import { GRAPHQL_CODES, statusOf } from '../../src/platform/graphql/error-format';
import type { GraphqlCode } from '../../src/platform/graphql/error-format';

const kindOf = (code: GraphqlCode): string =>
  failureOf([{ message: 'No.', extensions: { code } }]).kind;

it('takes all that the service answers with 401 for the end of the session: another try would not help', () => {
  const ends = GRAPHQL_CODES.filter(
    (code) => statusOf([{ message: 'No.', extensions: { code, requestId: '1' } }])?.status === 401,
  );
  expect(ends).toEqual(['UNAUTHENTICATED', 'TOKEN_EXPIRED']);
  expect(ends.map(kindOf)).toEqual(['signed-out', 'signed-out']);
});

it('tells apart what a right, another try or another question would mend', () => {
  expect(
    ['FORBIDDEN', 'UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'NOT_FOUND', 'RATE_LIMITED'].map((code) =>
      kindOf(code as GraphqlCode),
    ),
  ).toEqual(['no-right', 'unreachable', 'fault', 'refused', 'refused']);
});
