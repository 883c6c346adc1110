/** The parsed URL; null when the text is not a URL. `URL.canParse` is missing in browsers before the end of 2023. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
