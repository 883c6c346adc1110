import { OrderStatus } from '@bancone/contract/orders'
import { type Shortcut, ShortcutsDialog } from '../../ui/shortcuts-dialog.tsx'

const keys: readonly Shortcut[] = [
  ['j', 'Ordine successivo'],
  ['k', 'Ordine precedente'],
  ['Invio', "Dettagli dell'ordine"],
  ...OrderStatus.options.map((status, index): Shortcut => [String(index + 1), `Stato: ${status}`]),
  ['x', "Seleziona l'ordine"],
  ['n', 'Nuovo ordine'],
  ['/', 'Cerca'],
  ['?', 'Questo elenco'],
  ['Esc', 'Chiudi'],
]

const note =
  "I tasti da 1 a 5 cambiano lo stato degli ordini selezionati, oppure, se non ce ne sono, dell'ordine su cui ti trovi."

type OrderShortcutsProps = { onClose: () => void; onReturnFocus: () => void }

export function OrderShortcuts(props: OrderShortcutsProps) {
  return <ShortcutsDialog keys={keys} note={note} {...props} />
}
