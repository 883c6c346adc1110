/** White space of every kind and control characters, except NUL, which the database refuses. */
const BLANKS = /(?:[^\P{Cc}\0]|\p{Z})+/gu

/** Invisible characters: soft hyphens, zero-width characters, direction marks, fillers. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]/gu

/** Joiners and variation selectors, which are invisible by themselves but part of letters and emoji. */
const JOINERS = /\u034f|\u200c|\u200d|[\ufe00-\ufe0f]/gu

/**
 * Normalizes a person's display name: one line, without invisible characters. Returns an empty text when nothing
 * visible remains. The SQL function `seen_name` does the same with names from the user metadata.
 */
export function normalizeDisplayName(name: string): string {
  const seen = name.replace(UNSEEN, '').replace(BLANKS, ' ').trim()
  return seen.replace(JOINERS, '').trim() === '' ? '' : seen
}
