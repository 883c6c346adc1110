const signs: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** As it may stand in a page, also between quotes. */
export function htmlText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign)
}

/** An element without content. What is null is not said. */
export function tag(name: 'meta' | 'link', attributes: Record<string, string | null>): string {
  const said = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : `${key}="${htmlText(value)}"`,
  )
  return `<${name} ${said.join(' ')}>`
}
