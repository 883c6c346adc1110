/**
 * Whether a text is worth a search for codes of prescriptions: every code has five digits, or is one long word. For
 * pages that load the search only then.
 */
export function mayHaveCodes(text: string): boolean {
  return /(?:\d\D*){5}|\b(?=[a-z]*\d)[0-9a-z]{8}|[a-z]{16}/i.test(text)
}
