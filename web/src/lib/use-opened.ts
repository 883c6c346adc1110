import { type RefObject, useState } from 'react'

/** What every sheet and dialog needs. */
export type ModalProps = {
  onClose: () => void
  /** Returns the focus; called after it has closed. */
  onReturnFocus: () => void
}

/**
 * The item of a list whose sheet or dialog is open, and the control that opened it, which gets the focus back.
 *
 * @param fallback gets the focus when the control has disappeared with its item
 */
export function useOpened<T>(fallback: RefObject<HTMLElement | null>) {
  const [opened, setOpened] = useState<{ item: T; opener: HTMLElement } | null>(null)
  const modal: ModalProps = {
    onClose: () => setOpened(null),
    onReturnFocus: () => (opened?.opener.isConnected ? opened.opener : fallback.current)?.focus(),
  }
  return {
    item: opened?.item ?? null,
    open: (item: T, opener: HTMLElement) => setOpened({ item, opener }),
    modal,
  }
}
