import { toastError } from './toast.ts'

/** Shows a toast when the code of a part of the page could not be loaded. */
export function notifyChunkFailure() {
  toastError('Questa parte della pagina non si è caricata', {
    about: 'part',
    description: 'Controlla la connessione, poi ricarica la pagina.',
  })
}
