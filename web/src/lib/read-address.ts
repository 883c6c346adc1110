/** What a browser takes the text for; null where it is no address. Those before the end of 2023 have no `canParse`. */
export function readAddress(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
