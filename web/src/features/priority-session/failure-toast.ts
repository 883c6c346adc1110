import { CallFailed } from './calls.ts'
import type { ToastText } from './toast.tsx'

const PRESS_AGAIN = 'poi premere di nuovo. Chi è già in farmacia può presentarsi al banco.'

/** What the customer can do about a server that cannot be reached. */
function connectionHint(): string {
  return navigator.onLine
    ? `Controllare la connessione del telefono, ${PRESS_AGAIN}`
    : `Il telefono non è collegato a Internet: riattivare la connessione, ${PRESS_AGAIN}`
}

/** The message of a change that failed. */
export function failureToast(error: unknown): ToastText {
  if (!(error instanceof CallFailed)) throw error
  const { kind, code, text } = error.failure
  if (kind === 'timeout') {
    return {
      title: 'Richiesta scaduta',
      text: 'La richiesta sta impiegando troppo tempo. Riprova più tardi.',
      hint: connectionHint(),
      isError: true,
    }
  }
  if (kind === 'network') {
    return {
      title: "Errore nell'invio della notifica",
      text: 'Si è verificato un errore durante la comunicazione con il server. Riprova.',
      hint: connectionHint(),
      isError: true,
    }
  }
  const isExplained = code.startsWith('priority.')
  return {
    title: "Errore nell'invio della notifica",
    text: isExplained ? text : 'Non è stato possibile aggiornare lo stato della sessione. Riprova.',
    isError: true,
  }
}
