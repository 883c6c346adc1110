/** Some browsers read the file only after the click event has been handled. */
const KEPT_MS = 10_000

/** Saves a file to the browser's downloads. */
export function saveFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
