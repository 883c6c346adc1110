/** Blanks of every kind, signs of control among them. A zero is no text, which the database refuses. */
const BLANKS = /(?:[^\P{Cc}\0]|\p{Z})+/gu

/** What is not seen, or turns round what is: soft, without width, of the direction of writing, fillers. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]/gu

/** What joins the parts of a letter or of a picture, and is nothing by itself. */
const JOINERS = /\u034f|\u200c|\u200d|[\ufe00-\ufe0f]/gu

/**
 * The name of somebody as others see it, in one line; empty when nothing of it would be seen. The database
 * does the same with what people call themselves (`seen_name`).
 */
export function seenName(name: string): string {
  const seen = name.replace(UNSEEN, '').replace(BLANKS, ' ').trim()
  return seen.replace(JOINERS, '').trim() === '' ? '' : seen
}
