import { onTestFinished, vi } from 'vitest'

/** jsdom has no modal dialogs. These move and restore the focus as browsers do. */
export function installNativeDialogs() {
  const before = new Map<HTMLDialogElement, Element | null>()
  const onKey = ({ key }: KeyboardEvent) => {
    const top = [...before.keys()].at(-1)
    if (key === 'Escape' && top?.dispatchEvent(new Event('cancel', { cancelable: true })))
      top.close()
  }
  document.addEventListener('keydown', onKey)
  const { prototype } = HTMLDialogElement
  prototype.showModal = vi.fn<(this: HTMLDialogElement) => void>(function showModal(
    this: HTMLDialogElement,
  ) {
    if (this.open) throw new DOMException('It is open already', 'InvalidStateError')
    before.set(this, document.activeElement)
    this.open = true
  })
  prototype.close = vi.fn<(this: HTMLDialogElement) => void>(function close(
    this: HTMLDialogElement,
  ) {
    this.open = false
    const last = before.get(this)
    before.delete(this)
    if (last instanceof HTMLElement) last.focus()
  })
  onTestFinished(() => {
    document.removeEventListener('keydown', onKey)
    Reflect.deleteProperty(prototype, 'showModal')
    Reflect.deleteProperty(prototype, 'close')
  })
}
