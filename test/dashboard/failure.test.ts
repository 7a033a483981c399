import { failureOf } from '../../dashboard/api/failure';
import { GRAPHQL_CODES, statusOf } from '../../src/platform/graphql/operations/error-format';
import type { GraphqlCode } from '../../src/platform/graphql/operations/error-format';

const kindOf = (code: GraphqlCode): string =>
  failureOf([{ message: 'No.', extensions: { code } }]).kind;

it('failureOf treats every error with status 401 as the end of the session', () => {
  const ends = GRAPHQL_CODES.filter(
    (code) => statusOf([{ extensions: { code, requestId: '1' } }])?.status === 401,
  );
  expect(ends).toEqual(['UNAUTHENTICATED', 'TOKEN_EXPIRED']);
  expect(ends.map(kindOf)).toEqual(['signed-out', 'signed-out']);
});

it('failureOf distinguishes missing permissions, temporary failures and rejected requests', () => {
  expect(
    ['FORBIDDEN', 'UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'NOT_FOUND', 'RATE_LIMITED'].map((code) =>
      kindOf(code as GraphqlCode),
    ),
  ).toEqual(['forbidden', 'unreachable', 'internal', 'rejected', 'rejected']);
});
