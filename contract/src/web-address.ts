/** Whether a text is the address of something on the web, which alone becomes a link. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
