/** Characters that XML 1.0 cannot represent, escaped or not. */
const UNWRITABLE = /[\u0000-\u0008\v\f\u000e-\u001f\ufffe\uffff]/;

/** Returns whether XML can represent the text. */
export const isXmlText = (text: string): boolean => text.isWellFormed() && !UNWRITABLE.test(text);
