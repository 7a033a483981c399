import type { MatrixCase } from './matrix/case';
import { indexCases } from './matrix/indexes';
import { readingCases } from './matrix/reading';
import { semanticsCases } from './matrix/semantics';
import { transactionCases } from './matrix/transactions';
import { writingCases } from './matrix/writing';

/** Answers of MongoDB 7.0 to the operations that the embedded store supports. */
export const operatorMatrix: readonly MatrixCase[] = [
  ...semanticsCases,
  ...readingCases,
  ...writingCases,
  ...indexCases,
  ...transactionCases,
];
