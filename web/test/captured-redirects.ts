import { vi } from 'vitest'

/** Records redirects to other origins instead of following them. */
export function captureRedirects(): URL[] {
  const addresses: URL[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    addresses.push(new URL(this.href))
  })
  return addresses
}
