import { vi } from 'vitest'

type Saved = { name: string; text: string }

/** Fakes file downloads: the saved files, and the object URLs that are not revoked. */
export function fakeDownloads() {
  const held = new Map<string, Blob>()
  const browser = { saved: [] as Saved[], held }
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (!('text' in file)) throw new TypeError('Only files are saved')
    const address = `blob:test/${held.size}`
    held.set(address, file)
    return address
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void held.delete(address))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const { download: name, href } = this
    void held
      .get(href)
      ?.text()
      .then((text) => browser.saved.push({ name, text }))
  })
  return browser
}
