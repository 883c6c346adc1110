import { onTestFinished, vi } from 'vitest'

type Saved = { name: string; text: string }

/** Stands in for the folder of downloads: what was saved, and which addresses still hold a file. */
export function fakeDownloads() {
  const held = new Map<string, Blob>()
  const browser = { saved: [] as Saved[], held }
  const own = { configurable: true, writable: true }
  Object.defineProperty(URL, 'createObjectURL', {
    ...own,
    value(file: Blob) {
      const address = `blob:test/${held.size}`
      held.set(address, file)
      return address
    },
  })
  Object.defineProperty(URL, 'revokeObjectURL', {
    ...own,
    value: (address: string) => held.delete(address),
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const { download: name, href } = this
    void held
      .get(href)
      ?.text()
      .then((text) => browser.saved.push({ name, text }))
  })
  onTestFinished(() => {
    Reflect.deleteProperty(URL, 'createObjectURL')
    Reflect.deleteProperty(URL, 'revokeObjectURL')
  })
  return browser
}
