/**
 * Text from outside as PostgreSQL can store it: without NUL characters, and with U+FFFD in place of each unpaired
 * surrogate (half an emoji).
 */
export function wellFormedText(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

/** An escaped surrogate pair, an escaped NUL or unpaired surrogate, or any other escape sequence. */
const ESCAPE = /\\(?:u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(0000)|(d[89a-f][0-9a-f]{2}))|.)/gi

/**
 * The same for all strings and keys in a JSON text, before it is parsed: in UTF-8 these characters can occur only as
 * escape sequences. The nesting does not matter, and a key is checked in its final form.
 */
export function wellFormedJson(text: string): string {
  return text.replaceAll(ESCAPE, (escape: string, nul?: string, unpaired?: string) => {
    if (nul) return ''
    return unpaired ? String.raw`\ufffd` : escape
  })
}
