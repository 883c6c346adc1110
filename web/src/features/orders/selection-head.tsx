import { ListChecks } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { SelectionBox } from './selection-box.tsx'
import type { SelectionState } from './use-selection.ts'

/** What selects the whole page, for the box over the table and the one over the cards. */
export function PageSelectionBox({
  selection,
  text,
}: {
  selection: SelectionState
  text?: string
}) {
  return (
    <SelectionBox
      label="Seleziona tutti gli ordini di questa pagina"
      {...(text === undefined ? {} : { text })}
      checked={selection.ofPage === 'all'}
      mixed={selection.ofPage === 'some'}
      onToggle={selection.togglePage}
    />
  )
}

/** Where cards show the orders: they have boxes only for who wants to select. */
export function ChooseButton({ selection }: { selection: SelectionState }) {
  const { choosing, startChoosing, clear } = selection
  return (
    <Button
      aria-pressed={choosing}
      className="max-sm:px-2.5"
      onClick={choosing ? clear : startChoosing}
    >
      <ListChecks aria-hidden className="max-[22rem]:hidden" />
      Seleziona
    </Button>
  )
}
