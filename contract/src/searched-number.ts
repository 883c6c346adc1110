/** 'ordine n. 472', 'n° 472', '#472' or '472': what may introduce a number, and one word with a digit. */
const typedNumber =
  /^(?:(?:ord(?:ine)?(?=[\s.#\d])\.?\s*)?(?:n(?:umero|um|ro|r|o)?(?=[\s.°º#\d])[.°º]?\s*)?[#№]?\s*)([\p{L}\d/._-]*\d[\p{L}\d/._-]*?)[.,;:]?$/iu

/** The order number in a search text that is nothing but one; undefined for any other text. */
export function searchedNumber(text: string): string | undefined {
  return typedNumber.exec(text.trim())?.[1]
}
