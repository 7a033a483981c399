/** The order of values and documents, as one door. */
export { compareValues, valuesEqual } from './order';
export { compileSort } from './sort';
