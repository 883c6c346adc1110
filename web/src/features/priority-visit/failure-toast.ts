import { CallFailed } from './calls.ts'
import type { ToastText } from './toast.tsx'

/** The message of a change that failed. */
export function failureToast(error: unknown): ToastText {
  if (!(error instanceof CallFailed)) throw error
  const { kind, code, text } = error.failure
  if (kind === 'timeout') {
    return {
      title: 'Richiesta scaduta',
      text: 'La richiesta sta impiegando troppo tempo. Riprova più tardi.',
      isError: true,
    }
  }
  const isExplained = code.startsWith('priority.')
  const refused = isExplained
    ? text
    : 'Non è stato possibile aggiornare lo stato della sessione. Riprova.'
  return {
    title: "Errore nell'invio della notifica",
    text:
      kind === 'refused'
        ? refused
        : 'Si è verificato un errore durante la comunicazione con il server. Riprova.',
    isError: true,
  }
}
