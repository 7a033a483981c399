/** What XML 1.0 has no way to write, escaped or not. */
const UNWRITABLE = /[\u0000-\u0008\v\f\u000e-\u001f\ufffe\uffff]/;

/** Can XML hold the text? */
export const isXmlText = (text: string): boolean => text.isWellFormed() && !UNWRITABLE.test(text);
