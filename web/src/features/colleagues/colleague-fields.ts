import { COLLEAGUE_NAME_LENGTH } from '@bancone/contract/colleagues'
import type { z } from 'zod/mini'

/** Italian error text of a field; the contract has none. */
export function fieldMessage({
  code,
  path,
  input,
}: Pick<z.core.$ZodRawIssue, 'code' | 'path' | 'input'>): string | undefined {
  const field = path?.[0]
  if (field === 'name') {
    return code === 'too_big'
      ? `Al massimo ${COLLEAGUE_NAME_LENGTH} caratteri.`
      : 'Scrivi nome e cognome.'
  }
  if (field !== 'email') return undefined
  if (code === 'too_big') return "L'indirizzo è troppo lungo."
  return input === '' ? "Scrivi l'indirizzo email." : "Controlla l'indirizzo email: non è completo."
}

/** Options for `register`: trims the text. */
export const trimmed = { setValueAs: (text: string) => text.trim() }
