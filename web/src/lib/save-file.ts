/** Some browsers begin to read only after the click has been dealt with. */
const KEPT_MS = 10_000

/** Has the browser keep a file among its downloads. */
export function saveFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
