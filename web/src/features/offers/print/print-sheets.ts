/** Milliseconds that a picture may keep the sheets waiting. */
const PATIENCE_MS = 5_000

/** Opens the browser's dialog once the pictures are there, or are not going to be. */
export async function printSheets(sheets: HTMLElement | null) {
  const pictures = [...(sheets?.querySelectorAll('img') ?? [])]
  const waiting = Promise.allSettled(pictures.map((picture) => picture.decode()))
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  if (pictures.some(({ complete }) => !complete)) await Promise.race([waiting, patience])
  window.print()
}
