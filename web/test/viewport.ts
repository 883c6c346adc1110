/** Makes media queries match a desktop or a phone. */
export function setViewport(width: 'wide' | 'narrow') {
  window.matchMedia = (query: string) => ({
    matches: width === 'wide' && query.includes('min-width'),
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  })
}
