/** What the rules of jsdom's default style sheet look at besides the name of an element. */
const ATTRIBUTES = new Set(['hidden', 'style', 'type', 'disabled', 'open'])

/** Computes the style without this cache. */
const compute = window.getComputedStyle.bind(window)

/** Styles by the key of their element. Tests read them and cannot change them. */
const styles = new Map<string, CSSStyleDeclaration>()

/**
 * Numbers for element names with their attributes and ancestors, so that a key stays short. Inherited
 * properties (`visibility`, `pointer-events`) make the ancestors part of it.
 */
const numbers = new Map<string, number>()

function keyOf(element: Element): number {
  const parent = element.parentElement
  let text = `${parent ? keyOf(parent) : 0} ${element.tagName}`
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name)) text += ` ${name}=${value}`
  }
  let key = numbers.get(text)
  if (key === undefined) {
    key = numbers.size + 1
    numbers.set(text, key)
  }
  return key
}

/**
 * Lets `getComputedStyle` compute once for all elements that the style sheets cannot tell apart. jsdom
 * matches every rule against an element again after each change of the document: a third of the time of
 * these tests.
 */
export function cacheComputedStyles(): void {
  window.getComputedStyle = (element, pseudoElement) => {
    if (pseudoElement) return compute(element, pseudoElement)
    const isFocused = element === document.activeElement
    const key = `${document.styleSheets.length} ${isFocused} ${keyOf(element)}`
    let style = styles.get(key)
    if (!style) {
      style = compute(element)
      styles.set(key, style)
    }
    return style
  }
}
