import type { ModalProps } from '../../../lib/use-opened.ts'
import { type Shortcut, ShortcutsDialog } from '../../../ui/shortcuts-dialog.tsx'
import { KEYED_STATUSES } from './keyboard.ts'

const keys: readonly Shortcut[] = [
  ['j', 'Ordine successivo'],
  ['k', 'Ordine precedente'],
  ['Invio', "Dettagli dell'ordine"],
  ...KEYED_STATUSES.map((status, index): Shortcut => [String(index + 1), `Stato: ${status}`]),
  ['p', "L'ordine è pronto per il ritiro"],
  ['r', "L'ordine è ritirato"],
  ['u', 'Va ad «Annulla modifica»: Invio la annulla'],
  ['x', "Seleziona l'ordine"],
  ['n', 'Nuovo ordine'],
  ['/', 'Cerca'],
  ['?', 'Questo elenco'],
  ['Esc', 'Chiudi'],
]

const note =
  "I tasti da 1 a 4, p e r cambiano l'ordine evidenziato, e nessun altro. «Annullato» non ha un tasto. Il lettore di codici a barre non preme tasti: trova gli ordini di una tessera sanitaria, di una ricetta, di un foglio o di un'etichetta. Il foglio di un ordine pronto, letto di nuovo nei dettagli, lo segna ritirato."

export function OrderShortcuts(props: ModalProps) {
  return <ShortcutsDialog keys={keys} note={note} {...props} />
}
