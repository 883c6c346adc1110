/** Characters that the fonts of `card-fonts` do not have: emoji, other scripts, invisible characters. */
const UNSUPPORTED =
  /[^ -~\u00a1-\u00ac\u00ae-\u024f\u0370-\u03ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2122\u2212]/g

/** Longer than any text that fits on a card. */
const MAX_LETTERS = 300

/** Removes the characters that cannot be rendered. The result may be empty. */
export function renderableText(text: string): string {
  return text
    .slice(0, MAX_LETTERS)
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(UNSUPPORTED, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}
