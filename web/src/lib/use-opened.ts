import { type RefObject, useState } from 'react'

/**
 * The item of a list whose sheet or dialog is open, and the control that opened it, which gets the focus back.
 *
 * @param fallback gets the focus when the control has disappeared with its item
 */
export function useOpened<T>(fallback: RefObject<HTMLElement | null>) {
  const [opened, setOpened] = useState<{ item: T; opener: HTMLElement } | null>(null)
  return {
    item: opened?.item ?? null,
    open: (item: T, opener: HTMLElement) => setOpened({ item, opener }),
    close: () => setOpened(null),
    returnFocus: () => (opened?.opener.isConnected ? opened.opener : fallback.current)?.focus(),
  }
}
