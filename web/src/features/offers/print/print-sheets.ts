/** Milliseconds for the pictures to load. */
const PATIENCE_MS = 5_000

/** Opens the browser's print dialog once the pictures have loaded or failed. */
export async function printSheets(sheets: HTMLElement | null) {
  const pictures = [...(sheets?.querySelectorAll('img') ?? [])]
  const waiting = Promise.allSettled(pictures.map((picture) => picture.decode()))
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  if (pictures.some(({ complete }) => !complete)) await Promise.race([waiting, patience])
  window.print()
}
