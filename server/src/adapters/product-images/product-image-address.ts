/**
 * Whether a URL matches the provider's URL template for some product code. Other URLs of the same origin do not match.
 *
 * @param template with `{minsan}` for the code; undefined when there is no provider
 */
export function isProductImageAddress(template: string | undefined, url: string): boolean {
  if (template === undefined) return false
  const codes = Array.from(url.matchAll(/(?=(\d{9}))/g), ([, code = '']) => code)
  return codes.some((code) => template.replaceAll('{minsan}', code) === url)
}
