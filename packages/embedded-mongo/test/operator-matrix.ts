import type { MatrixCase } from './matrix/case';
import { indexCases } from './matrix/indexes';
import { readingCases } from './matrix/reading';
import { semanticsCases } from './matrix/semantics';
import { transactionCases } from './matrix/transactions';
import { writingCases } from './matrix/writing';

/** What MongoDB 7.0 answers to the operations the embedded store takes, as data. */
export const operatorMatrix: readonly MatrixCase[] = [
  ...semanticsCases,
  ...readingCases,
  ...writingCases,
  ...indexCases,
  ...transactionCases,
];
