import { UNDO_MS } from '@bancone/contract/priority'
import { useEffect, useRef } from 'react'
import { dismissToast, toastNews } from '../../../ui/toast.ts'
import { deskName, isDeskPrompted, markDeskPrompted } from '../desk.ts'

const PROMPT = 'desk-prompt'
/** Not before the last call can no longer be undone: the toast would cover 'Annulla'. */
const PROMPT_AFTER_MS = UNDO_MS + 1_000

/**
 * Prompts once for the name of the desk on a device that calls without one.
 *
 * @param onName opens the dialog with the name
 * @returns to be called with every call
 */
export function useDeskPrompt(onName: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      dismissToast(PROMPT)
    },
    [],
  )

  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (deskName() !== null || isDeskPrompted()) return
      markDeskPrompted()
      toastNews('Come si chiama questo banco?', {
        about: PROMPT,
        description: 'Chi viene chiamato legge dove andare, per esempio al Banco 2.',
        action: { label: 'Dai un nome', run: onName },
        long: true,
      })
    }, PROMPT_AFTER_MS)
  }
}
