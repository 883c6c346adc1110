/** A value, or elements of their own; of a list one after the other. */
type Content = string | number | boolean | { [name: string]: Content | Content[] }

/** A document of S3, without attributes. */
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
