import { setShortcuts, useShortcutsOn } from '../lib/shortcuts.ts'
import type { ModalProps } from '../lib/use-opened.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Switch } from './switch.tsx'

/** A key, and what it does. */
export type Shortcut = readonly [key: string, what: string]

type ShortcutsDialogProps = ModalProps & {
  keys: readonly Shortcut[]
  note: string
}

/** The keyboard shortcuts of a page, and the switch that turns all of them off. */
export function ShortcutsDialog({ keys, note, onClose, onReturnFocus }: ShortcutsDialogProps) {
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
      <p className="text-sm text-muted">{note}</p>
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
