import { toastError } from './toast.ts'

/** The code of a part of the page was to be shown, and did not come. */
export function sayMissing() {
  toastError('Questa parte della pagina non si è caricata', {
    about: 'part',
    description: 'Controlla la connessione, poi ricarica la pagina.',
  })
}
