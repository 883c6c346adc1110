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

/** As text that may stand in a script of a page: nothing in it can end that, or be taken for a line's end. */
export function scriptText(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** Cut at its marks, and not replaced: names may hold what a replacement would take for a pattern. */
export function fillDocument(
  template: string,
  parts: [from: string, to: string, content: string][],
): string {
  let rest = template
  let page = ''
  for (const [from, to, content] of parts) {
    const start = rest.indexOf(from)
    const end = rest.indexOf(to, start)
    if (start < 0 || end < 0) throw new Error(`the document has no ${from}`)
    page += rest.slice(0, start) + content
    rest = rest.slice(Math.max(end, start + from.length)).slice(to.length)
  }
  return page + rest
}
