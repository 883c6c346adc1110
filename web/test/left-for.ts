import { vi } from 'vitest'

/** Where the browser would have gone, instead of going there. */
export function leftFor(): URL[] {
  const addresses: URL[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    addresses.push(new URL(this.href))
  })
  return addresses
}
