import type { MatrixCase } from './matrix/case';
import { semanticsCases } from './matrix/semantics';

/** What MongoDB 7.0 answers to the operations the embedded store takes, as data. */
export const operatorMatrix: readonly MatrixCase[] = [...semanticsCases];
