/** What the fonts of `card-fonts` have no letter for: emoji, other scripts, and signs that nobody sees. */
const NOT_DRAWN =
  /[^ -~\u00a1-\u00ac\u00ae-\u024f\u0370-\u03ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2122\u2212]/g

/** Nothing that is shown is longer, however often it is cut. */
const MOST_LETTERS = 300

/** A text as it can be drawn; it may be empty then. */
export function drawnText(text: string): string {
  return text
    .slice(0, MOST_LETTERS)
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(NOT_DRAWN, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}
