import type { RunError } from '../../../engine';

/** Characters of a text in the error of a run: what an author has written into a step may have millions, and every list of runs shows it. */
const LONGEST = 8_192;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text);

/** The error of a run as it is kept with the run. Secrets are hidden already, so that none is cut in two. */
export const toldError = ({ step, index, message, ...error }: RunError): RunError => ({ step: step && cut(step), index: index && cut(index), ...error, message: cut(message) });
