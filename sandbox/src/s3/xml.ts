/** A value, nested elements, or a list of them. */
type Content = string | number | boolean | { [name: string]: Content | Content[] }

/** An XML document without attributes. */
export function xml(root: string, content: Content): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`
}

function element(name: string, content: Content | Content[]): string {
  if (Array.isArray(content)) return content.map((each) => element(name, each)).join('')
  const inner =
    typeof content === 'object'
      ? Object.entries(content)
          .map(([each, value]) => element(each, value))
          .join('')
      : escaped(String(content))
  return `<${name}>${inner}</${name}>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => entities[character] ?? '&#13;')
}
