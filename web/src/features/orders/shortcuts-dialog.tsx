import { OrderStatus } from '@bancone/contract/orders'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/switch.tsx'
import { setShortcuts, useShortcutsOn } from './shortcuts.ts'

const keys: readonly [key: string, what: string][] = [
  ['j', 'Ordine successivo'],
  ['k', 'Ordine precedente'],
  ['Invio', "Dettagli dell'ordine"],
  ...OrderStatus.options.map((status, index): [string, string] => [
    String(index + 1),
    `Stato: ${status}`,
  ]),
  ['x', "Seleziona l'ordine"],
  ['n', 'Nuovo ordine'],
  ['/', 'Cerca'],
  ['?', 'Questo elenco'],
  ['Esc', 'Chiudi'],
]

type ShortcutsDialogProps = { onClose: () => void; onReturnFocus: () => void }

export function ShortcutsDialog({ onClose, onReturnFocus }: ShortcutsDialogProps) {
  const on = useShortcutsOn()
  return (
    <Dialog
      title="Scorciatoie da tastiera"
      onClose={onClose}
      onReturnFocus={onReturnFocus}
      footer={<Button onClick={onClose}>Chiudi</Button>}
    >
      <Switch
        label="Scorciatoie attive"
        hint="Vale per questo browser. Spegnile se usi la dettatura vocale o un programma che digita per te."
        checked={on}
        onChange={setShortcuts}
      />
      <p className="text-sm text-muted">
        I tasti da 1 a 5 cambiano lo stato degli ordini selezionati, oppure, se non ce ne sono,
        dell'ordine su cui ti trovi.
      </p>
      <table className="w-full text-sm">
        <caption className="sr-only">Che cosa fa ogni tasto</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Tasto</th>
            <th scope="col">Azione</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([key, what]) => (
            <tr key={key}>
              <th scope="row" className="w-20 border-t border-line py-1.5 text-left">
                <kbd className="inline-block min-w-7 rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-sans text-xs">
                  {key}
                </kbd>
              </th>
              <td className="border-t border-line py-1.5">{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
