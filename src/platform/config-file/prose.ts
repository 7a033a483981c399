/** Words with a colon that begin a remark. */
const REMARKS =
  /^(?:note|notes|todo|fixme|hint|hints|example|examples|see|warning|attention|important|remark|caution|tip|usage|default|defaults|e\.g|i\.e|https?)$/i;
/** Words of sentences that values hardly contain. */
const SENTENCE_WORDS =
  /(?:^|\s)(?:a|an|and|are|as|be|by|can|do|for|from|if|in|is|it|must|no|not|of|on|only|or|see|so|that|the|this|to|use|used|when|where|which|will|with|you|your)(?=[\s,.;:!?]|$)/i;
const WORDS = /^[\p{L}'’-]+(?:[,;]?\s+[\p{L}'’-]+){3,}[.!?]?$/u;

/** Returns whether an unquoted text reads like a sentence, and not like a value. */
export function isSentence(text: string): boolean {
  const value = text.trim();
  if (!/\s/.test(value) || /^["'[{|>&*!]/.test(value)) return false;
  return SENTENCE_WORDS.test(value) || WORDS.test(value) || /[a-z]{2}[.!?]$/i.test(value);
}

/**
 * Returns whether `name: value` in a comment is a remark and not a key that was commented out.
 * @param isTight the `#` stands where commenting out puts it, so that only remarks are left out
 */
export function isRemark(name: string, value: string, isTight: boolean): boolean {
  const text = value.replace(/\s#.*$/, '').trim();
  if (REMARKS.test(name)) return text === '' || /\s/.test(text) || !isTight;
  const isTitle = /^\p{Lu}\p{Ll}/u.test(name);
  if (isTitle && (text === '' || /\s/.test(text))) return true;
  return !isTight && (isTitle || isSentence(text));
}
